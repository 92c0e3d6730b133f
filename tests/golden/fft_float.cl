// clprim Fourier transforms of 64 points
// clprim::fft_policy{.shape = clprim::fft_shape::items, .points = 8, .lanes = 8, .radices = 0, .group = 128, .columns = 16, .staging = 16, .exchange = clprim::fft_exchange::planes, .twiddles = clprim::fft_twiddles::powers, .padding = true, .one_pass = 8192, .local_bytes = 0, .chunk_kib = 0, .pipeline_kib = 0, .transposed = false, .streaming = clprim::fft_streaming::none, .registers = 0, .separate = false, .ahead = 0}
#define R float
#define R2 float2
#define IN float2
#define OUT float2
#define RESTRICT restrict
#define IN_STEP ((long)1)
#define OUT_STEP ((long)1)
#define IN_INDEX ((long)0)
#define OUT_INDEX ((long)0)
#define PAIR_ROOTS 0
#define LOAD_PARAMETERS 
#define LOAD_ARGUMENTS 
#define STORE_PARAMETERS 
#define STORE_ARGUMENTS 
inline float2 read_element(__global const IN *in, const long at, const long index LOAD_PARAMETERS)
{
    const float2 value = in[at];
    return convert_float2(value);
}
inline void write_element(__global OUT *out, const long at, const long index, const float2 value STORE_PARAMETERS)
{
    const float2 done = convert_float2(value);
    out[at] = done;
}
inline R2 read_point(__global const IN *in, const long at, const long place, const long index, const int n, __global const R2 *factors LOAD_PARAMETERS)
{
    R2 x = read_element(in, at + (long)n * IN_STEP, index + (long)n * IN_INDEX LOAD_ARGUMENTS);
    return x;
}
inline void write_point(__global OUT *out, const long at, const long place, const long index, const int k, R2 y, __global const R2 *factors STORE_PARAMETERS)
{
    const long t = at + (long)k * OUT_STEP, u = index + (long)k * OUT_INDEX;
    write_element(out, t, u, y STORE_ARGUMENTS);
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void fft(__global const IN *RESTRICT in, const long in_offset, __global OUT *RESTRICT out,
    const long out_offset, __global const R2 *restrict factors,
    __global const int *restrict places, const long extent LOAD_PARAMETERS STORE_PARAMETERS)
{
    __local float plane_a[1152];
    __local float plane_b[1152];
    uint rest = (uint)get_group_id(0);
    long in_at = in_offset, out_at = out_offset, in_place = 0, out_place = 0, in_index = 0, out_index = 0;
    const long first = (long)rest * 16;
    in_at += first * 64;
    out_at += first * 64;
    const int here = (int)min((long)16, extent - first);
    const int lid = get_local_id(0);
    const int t1 = lid % 8, c1 = lid / 8;
    const int t = lid % 8, c = lid / 8;
    float x0r = 0, x0i = 0, x1r = 0, x1i = 0, x2r = 0, x2i = 0, x3r = 0, x3i = 0, x4r = 0, x4i = 0, x5r = 0, x5i = 0, x6r = 0, x6i = 0, x7r = 0, x7i = 0;
    const long in_run = in_at + (long)lid * 1, in_run_index = in_index + (long)lid * 0;
    R2 p0;
    R2 p128;
    R2 p256;
    R2 p384;
    R2 p512;
    R2 p640;
    R2 p768;
    R2 p896;
    if (here == 16) {
    p0 = read_point(in, in_run, 0, in_run_index, 0, factors LOAD_ARGUMENTS);
    p128 = read_point(in, in_run, 0, in_run_index, 128, factors LOAD_ARGUMENTS);
    p256 = read_point(in, in_run, 0, in_run_index, 256, factors LOAD_ARGUMENTS);
    p384 = read_point(in, in_run, 0, in_run_index, 384, factors LOAD_ARGUMENTS);
    p512 = read_point(in, in_run, 0, in_run_index, 512, factors LOAD_ARGUMENTS);
    p640 = read_point(in, in_run, 0, in_run_index, 640, factors LOAD_ARGUMENTS);
    p768 = read_point(in, in_run, 0, in_run_index, 768, factors LOAD_ARGUMENTS);
    p896 = read_point(in, in_run, 0, in_run_index, 896, factors LOAD_ARGUMENTS);
    } else {
    p0 = read_point(in, in_at, 0, in_index, min(lid + 0, here * 64 - 1), factors LOAD_ARGUMENTS);
    p128 = read_point(in, in_at, 0, in_index, min(lid + 128, here * 64 - 1), factors LOAD_ARGUMENTS);
    p256 = read_point(in, in_at, 0, in_index, min(lid + 256, here * 64 - 1), factors LOAD_ARGUMENTS);
    p384 = read_point(in, in_at, 0, in_index, min(lid + 384, here * 64 - 1), factors LOAD_ARGUMENTS);
    p512 = read_point(in, in_at, 0, in_index, min(lid + 512, here * 64 - 1), factors LOAD_ARGUMENTS);
    p640 = read_point(in, in_at, 0, in_index, min(lid + 640, here * 64 - 1), factors LOAD_ARGUMENTS);
    p768 = read_point(in, in_at, 0, in_index, min(lid + 768, here * 64 - 1), factors LOAD_ARGUMENTS);
    p896 = read_point(in, in_at, 0, in_index, min(lid + 896, here * 64 - 1), factors LOAD_ARGUMENTS);
    }
    const int run1 = lid / 64 * 72 + lid % 64;
    { plane_a[run1 + 0] = p0.x; plane_b[run1 + 0] = p0.y; }
    { plane_a[run1 + 144] = p128.x; plane_b[run1 + 144] = p128.y; }
    { plane_a[run1 + 288] = p256.x; plane_b[run1 + 288] = p256.y; }
    { plane_a[run1 + 432] = p384.x; plane_b[run1 + 432] = p384.y; }
    { plane_a[run1 + 576] = p512.x; plane_b[run1 + 576] = p512.y; }
    { plane_a[run1 + 720] = p640.x; plane_b[run1 + 720] = p640.y; }
    { plane_a[run1 + 864] = p768.x; plane_b[run1 + 864] = p768.y; }
    { plane_a[run1 + 1008] = p896.x; plane_b[run1 + 1008] = p896.y; }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int from = min(c1, here - 1);
    { const R2 p = (R2)(plane_a[c1 * 72 + t1 + 0], plane_b[c1 * 72 + t1 + 0]); x0r = p.x; x0i = p.y; }
    { const R2 p = (R2)(plane_a[c1 * 72 + t1 + 8], plane_b[c1 * 72 + t1 + 8]); x1r = p.x; x1i = p.y; }
    { const R2 p = (R2)(plane_a[c1 * 72 + t1 + 16], plane_b[c1 * 72 + t1 + 16]); x2r = p.x; x2i = p.y; }
    { const R2 p = (R2)(plane_a[c1 * 72 + t1 + 24], plane_b[c1 * 72 + t1 + 24]); x3r = p.x; x3i = p.y; }
    { const R2 p = (R2)(plane_a[c1 * 72 + t1 + 32], plane_b[c1 * 72 + t1 + 32]); x4r = p.x; x4i = p.y; }
    { const R2 p = (R2)(plane_a[c1 * 72 + t1 + 40], plane_b[c1 * 72 + t1 + 40]); x5r = p.x; x5i = p.y; }
    { const R2 p = (R2)(plane_a[c1 * 72 + t1 + 48], plane_b[c1 * 72 + t1 + 48]); x6r = p.x; x6i = p.y; }
    { const R2 p = (R2)(plane_a[c1 * 72 + t1 + 56], plane_b[c1 * 72 + t1 + 56]); x7r = p.x; x7i = p.y; }
    // radix 8, 1 of 8 butterflies
    const float v1 = x0r + x4r;
    const float v2 = x0i + x4i;
    const float v3 = x0r - x4r;
    const float v4 = x0i - x4i;
    const float v5 = x1r + x5r;
    const float v6 = x1i + x5i;
    const float v7 = x1r - x5r;
    const float v8 = x1i - x5i;
    const float v9 = x2r + x6r;
    const float v10 = x2i + x6i;
    const float v11 = x2r - x6r;
    const float v12 = x2i - x6i;
    const float v13 = x3r + x7r;
    const float v14 = x3i + x7i;
    const float v15 = x3r - x7r;
    const float v16 = x3i - x7i;
    const float v17 = v1 + v9;
    const float v18 = v2 + v10;
    const float v19 = v1 - v9;
    const float v20 = v2 - v10;
    const float v21 = v5 + v13;
    const float v22 = v6 + v14;
    const float v23 = v5 - v13;
    const float v24 = v6 - v14;
    const float v25 = v17 + v21;
    const float v26 = v18 + v22;
    const float v27 = v17 - v21;
    const float v28 = v18 - v22;
    const float v29 = -v23;
    const float v30 = v19 + v24;
    const float v31 = v20 + v29;
    const float v32 = v19 - v24;
    const float v33 = v20 - v29;
    const float v34 = 0.707106781f * (v7 + v8);
    const float v35 = 0.707106781f * (v8 - v7);
    const float v36 = -v11;
    const float v37 = -0.707106781f * (v15 - v16);
    const float v38 = -0.707106781f * (v15 + v16);
    const float v39 = v3 + v12;
    const float v40 = v4 + v36;
    const float v41 = v3 - v12;
    const float v42 = v4 - v36;
    const float v43 = v34 + v37;
    const float v44 = v35 + v38;
    const float v45 = v34 - v37;
    const float v46 = v35 - v38;
    const float v47 = v39 + v43;
    const float v48 = v40 + v44;
    const float v49 = v39 - v43;
    const float v50 = v40 - v44;
    const float v51 = -v45;
    const float v52 = v41 + v46;
    const float v53 = v42 + v51;
    const float v54 = v41 - v46;
    const float v55 = v42 - v51;
    const int w1i = t * 8;
    const int w1 = c * 72 + (w1i) + (w1i) / 32 * 1;
    const int u2i = t;
    const int u2 = c * 72 + (u2i) + (u2i) / 32 * 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    plane_a[w1 + 0] = v25;
    plane_a[w1 + 1] = v47;
    plane_a[w1 + 2] = v30;
    plane_a[w1 + 3] = v52;
    plane_a[w1 + 4] = v27;
    plane_a[w1 + 5] = v49;
    plane_a[w1 + 6] = v32;
    plane_a[w1 + 7] = v54;
    plane_b[w1 + 0] = v26;
    plane_b[w1 + 1] = v48;
    plane_b[w1 + 2] = v31;
    plane_b[w1 + 3] = v53;
    plane_b[w1 + 4] = v28;
    plane_b[w1 + 5] = v50;
    plane_b[w1 + 6] = v33;
    plane_b[w1 + 7] = v55;
    barrier(CLK_LOCAL_MEM_FENCE);
    x0r = plane_a[u2 + 0];
    x1r = plane_a[u2 + 8];
    x2r = plane_a[u2 + 16];
    x3r = plane_a[u2 + 24];
    x4r = plane_a[u2 + 33];
    x5r = plane_a[u2 + 41];
    x6r = plane_a[u2 + 49];
    x7r = plane_a[u2 + 57];
    x0i = plane_b[u2 + 0];
    x1i = plane_b[u2 + 8];
    x2i = plane_b[u2 + 16];
    x3i = plane_b[u2 + 24];
    x4i = plane_b[u2 + 33];
    x5i = plane_b[u2 + 41];
    x6i = plane_b[u2 + 49];
    x7i = plane_b[u2 + 57];
    // radix 8, 1 of 8 butterflies
    const int q3 = (t) % 8;
    const float2 f4 = factors[0 + q3];
    const float v56 = x1r * f4.x - x1i * f4.y;
    const float v57 = x1r * f4.y + x1i * f4.x;
    const float v58 = f4.x * f4.x - f4.y * f4.y;
    const float v59 = f4.x * f4.y + f4.y * f4.x;
    const float v60 = x2r * v58 - x2i * v59;
    const float v61 = x2r * v59 + x2i * v58;
    const float v62 = f4.x * v58 - f4.y * v59;
    const float v63 = f4.x * v59 + f4.y * v58;
    const float v64 = x3r * v62 - x3i * v63;
    const float v65 = x3r * v63 + x3i * v62;
    const float v66 = v58 * v58 - v59 * v59;
    const float v67 = v58 * v59 + v59 * v58;
    const float v68 = x4r * v66 - x4i * v67;
    const float v69 = x4r * v67 + x4i * v66;
    const float v70 = v58 * v62 - v59 * v63;
    const float v71 = v58 * v63 + v59 * v62;
    const float v72 = x5r * v70 - x5i * v71;
    const float v73 = x5r * v71 + x5i * v70;
    const float v74 = v62 * v62 - v63 * v63;
    const float v75 = v62 * v63 + v63 * v62;
    const float v76 = x6r * v74 - x6i * v75;
    const float v77 = x6r * v75 + x6i * v74;
    const float v78 = v62 * v66 - v63 * v67;
    const float v79 = v62 * v67 + v63 * v66;
    const float v80 = x7r * v78 - x7i * v79;
    const float v81 = x7r * v79 + x7i * v78;
    const float v82 = x0r + v68;
    const float v83 = x0i + v69;
    const float v84 = x0r - v68;
    const float v85 = x0i - v69;
    const float v86 = v56 + v72;
    const float v87 = v57 + v73;
    const float v88 = v56 - v72;
    const float v89 = v57 - v73;
    const float v90 = v60 + v76;
    const float v91 = v61 + v77;
    const float v92 = v60 - v76;
    const float v93 = v61 - v77;
    const float v94 = v64 + v80;
    const float v95 = v65 + v81;
    const float v96 = v64 - v80;
    const float v97 = v65 - v81;
    const float v98 = v82 + v90;
    const float v99 = v83 + v91;
    const float v100 = v82 - v90;
    const float v101 = v83 - v91;
    const float v102 = v86 + v94;
    const float v103 = v87 + v95;
    const float v104 = v86 - v94;
    const float v105 = v87 - v95;
    const float v106 = v98 + v102;
    const float v107 = v99 + v103;
    const float v108 = v98 - v102;
    const float v109 = v99 - v103;
    const float v110 = -v104;
    const float v111 = v100 + v105;
    const float v112 = v101 + v110;
    const float v113 = v100 - v105;
    const float v114 = v101 - v110;
    const float v115 = 0.707106781f * (v88 + v89);
    const float v116 = 0.707106781f * (v89 - v88);
    const float v117 = -v92;
    const float v118 = -0.707106781f * (v96 - v97);
    const float v119 = -0.707106781f * (v96 + v97);
    const float v120 = v84 + v93;
    const float v121 = v85 + v117;
    const float v122 = v84 - v93;
    const float v123 = v85 - v117;
    const float v124 = v115 + v118;
    const float v125 = v116 + v119;
    const float v126 = v115 - v118;
    const float v127 = v116 - v119;
    const float v128 = v120 + v124;
    const float v129 = v121 + v125;
    const float v130 = v120 - v124;
    const float v131 = v121 - v125;
    const float v132 = -v126;
    const float v133 = v122 + v127;
    const float v134 = v123 + v132;
    const float v135 = v122 - v127;
    const float v136 = v123 - v132;
    barrier(CLK_LOCAL_MEM_FENCE);
    plane_a[c * 72 + t + 0] = v106; plane_b[c * 72 + t + 0] = v107;
    plane_a[c * 72 + t + 8] = v128; plane_b[c * 72 + t + 8] = v129;
    plane_a[c * 72 + t + 16] = v111; plane_b[c * 72 + t + 16] = v112;
    plane_a[c * 72 + t + 24] = v133; plane_b[c * 72 + t + 24] = v134;
    plane_a[c * 72 + t + 32] = v108; plane_b[c * 72 + t + 32] = v109;
    plane_a[c * 72 + t + 40] = v130; plane_b[c * 72 + t + 40] = v131;
    plane_a[c * 72 + t + 48] = v113; plane_b[c * 72 + t + 48] = v114;
    plane_a[c * 72 + t + 56] = v135; plane_b[c * 72 + t + 56] = v136;
    barrier(CLK_LOCAL_MEM_FENCE);
    const long out_run = out_at + (long)lid * 1, out_run_index = out_index + (long)lid * 0;
    const int run2 = lid / 64 * 72 + lid % 64;
    if ((lid + 0) < here * 64) {
    write_point(out, out_run, 0, out_run_index, 0, (R2)(plane_a[run2 + 0], plane_b[run2 + 0]), factors STORE_ARGUMENTS);
    }
    if ((lid + 128) < here * 64) {
    write_point(out, out_run, 0, out_run_index, 128, (R2)(plane_a[run2 + 144], plane_b[run2 + 144]), factors STORE_ARGUMENTS);
    }
    if ((lid + 256) < here * 64) {
    write_point(out, out_run, 0, out_run_index, 256, (R2)(plane_a[run2 + 288], plane_b[run2 + 288]), factors STORE_ARGUMENTS);
    }
    if ((lid + 384) < here * 64) {
    write_point(out, out_run, 0, out_run_index, 384, (R2)(plane_a[run2 + 432], plane_b[run2 + 432]), factors STORE_ARGUMENTS);
    }
    if ((lid + 512) < here * 64) {
    write_point(out, out_run, 0, out_run_index, 512, (R2)(plane_a[run2 + 576], plane_b[run2 + 576]), factors STORE_ARGUMENTS);
    }
    if ((lid + 640) < here * 64) {
    write_point(out, out_run, 0, out_run_index, 640, (R2)(plane_a[run2 + 720], plane_b[run2 + 720]), factors STORE_ARGUMENTS);
    }
    if ((lid + 768) < here * 64) {
    write_point(out, out_run, 0, out_run_index, 768, (R2)(plane_a[run2 + 864], plane_b[run2 + 864]), factors STORE_ARGUMENTS);
    }
    if ((lid + 896) < here * 64) {
    write_point(out, out_run, 0, out_run_index, 896, (R2)(plane_a[run2 + 1008], plane_b[run2 + 1008]), factors STORE_ARGUMENTS);
    }
}

