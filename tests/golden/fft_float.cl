// clprim Fourier transforms of 64 points
// clprim::fft_policy{.shape = clprim::fft_shape::items, .points = 8, .lanes = 8, .radices = 0, .group = 128, .columns = 16, .staging = 16, .exchange = clprim::fft_exchange::planes, .twiddles = clprim::fft_twiddles::powers, .padding = true, .one_pass = 8192, .local_bytes = 0, .chunk_kib = 0, .pipeline_kib = 0, .transposed = false, .blocked = false, .streaming = clprim::fft_streaming::none, .registers = 0, .separate = false, .ordered = false, .ahead = 0}
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
#define LOAD_POINT(value, n) { const R2 p = (float2)(plane_a[c * 72 + n], plane_b[c * 72 + n]); value##r = p.x; value##i = p.y; }

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void fft(__global const IN *RESTRICT in, const long in_offset, __global OUT *RESTRICT out,
    const long out_offset, __global const R2 *restrict factors,
    __global const int *restrict places, const long extent LOAD_PARAMETERS STORE_PARAMETERS)
{
    __local float plane_a[1152];
    __local float plane_b[1152];
    uint rest = (uint)get_group_id(0);
    long in_at = in_offset;
    long out_at = out_offset;
    long in_index = 0;
    long out_index = 0;
    const long first = (long)rest * 16;
    in_at += first * 64;
    out_at += first * 64;
    const int here = (int)min((long)16, extent - first);
    const int lid = get_local_id(0);
    const int t = lid % 8, c = lid / 8;
    float x0r = 0, x0i = 0, x1r = 0, x1i = 0, x2r = 0, x2i = 0, x3r = 0, x3i = 0, x4r = 0, x4i = 0, x5r = 0, x5i = 0, x6r = 0, x6i = 0, x7r = 0, x7i = 0;
    const int q3 = (t) % 8;
    const float2 f4 = factors[0 + q3];
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
    LOAD_POINT(x0, t + 0)
    LOAD_POINT(x1, t + 8)
    LOAD_POINT(x2, t + 16)
    LOAD_POINT(x3, t + 24)
    LOAD_POINT(x4, t + 32)
    LOAD_POINT(x5, t + 40)
    LOAD_POINT(x6, t + 48)
    LOAD_POINT(x7, t + 56)
    // radix 8, 1 of 8 butterflies
    const float v1 = x0r + x4r, v2 = x0i + x4i, v3 = x0r - x4r, v4 = x0i - x4i;
    const float v5 = x1r + x5r, v6 = x1i + x5i, v7 = x1r - x5r, v8 = x1i - x5i;
    const float v9 = x2r + x6r, v10 = x2i + x6i, v11 = x2r - x6r, v12 = x2i - x6i;
    const float v13 = x3r + x7r, v14 = x3i + x7i, v15 = x3r - x7r, v16 = x3i - x7i;
    const float v17 = v1 + v9, v18 = v2 + v10, v19 = v1 - v9, v20 = v2 - v10;
    const float v21 = v5 + v13, v22 = v6 + v14, v23 = v5 - v13, v24 = v6 - v14;
    const float v25 = v17 + v21, v26 = v18 + v22, v27 = v17 - v21, v28 = v18 - v22;
    const float v29 = v19 + v24, v30 = v20 - v23, v31 = v19 - v24, v32 = v20 + v23;
    const float v33 = 0.707106781f * (v7 + v8), v34 = 0.707106781f * (v8 - v7);
    const float v35 = -0.707106781f * (v15 - v16), v36 = -0.707106781f * (v15 + v16);
    const float v37 = v3 + v12, v38 = v4 - v11, v39 = v3 - v12, v40 = v4 + v11;
    const float v41 = v33 + v35, v42 = v34 + v36, v43 = v33 - v35, v44 = v34 - v36;
    const float v45 = v37 + v41, v46 = v38 + v42, v47 = v37 - v41, v48 = v38 - v42;
    const float v49 = v39 + v44, v50 = v40 - v43, v51 = v39 - v44, v52 = v40 + v43;
    const int w1i = t * 8;
    const int w1 = c * 72 + (w1i) + (w1i) / 32 * 1;
    const int u2i = t;
    const int u2 = c * 72 + (u2i) + (u2i) / 32 * 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    plane_a[w1 + 0] = v25;
    plane_a[w1 + 1] = v45;
    plane_a[w1 + 2] = v29;
    plane_a[w1 + 3] = v49;
    plane_a[w1 + 4] = v27;
    plane_a[w1 + 5] = v47;
    plane_a[w1 + 6] = v31;
    plane_a[w1 + 7] = v51;
    plane_b[w1 + 0] = v26;
    plane_b[w1 + 1] = v46;
    plane_b[w1 + 2] = v30;
    plane_b[w1 + 3] = v50;
    plane_b[w1 + 4] = v28;
    plane_b[w1 + 5] = v48;
    plane_b[w1 + 6] = v32;
    plane_b[w1 + 7] = v52;
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
    const float v53 = x1r * f4.x - x1i * f4.y, v54 = x1r * f4.y + x1i * f4.x;
    const float v55 = f4.x * f4.x - f4.y * f4.y, v56 = f4.x * f4.y + f4.y * f4.x;
    const float v57 = x2r * v55 - x2i * v56, v58 = x2r * v56 + x2i * v55;
    const float v59 = f4.x * v55 - f4.y * v56, v60 = f4.x * v56 + f4.y * v55;
    const float v61 = x3r * v59 - x3i * v60, v62 = x3r * v60 + x3i * v59;
    const float v63 = v55 * v55 - v56 * v56, v64 = v55 * v56 + v56 * v55;
    const float v65 = x4r * v63 - x4i * v64, v66 = x4r * v64 + x4i * v63;
    const float v67 = v55 * v59 - v56 * v60, v68 = v55 * v60 + v56 * v59;
    const float v69 = x5r * v67 - x5i * v68, v70 = x5r * v68 + x5i * v67;
    const float v71 = v59 * v59 - v60 * v60, v72 = v59 * v60 + v60 * v59;
    const float v73 = x6r * v71 - x6i * v72, v74 = x6r * v72 + x6i * v71;
    const float v75 = v59 * v63 - v60 * v64, v76 = v59 * v64 + v60 * v63;
    const float v77 = x7r * v75 - x7i * v76, v78 = x7r * v76 + x7i * v75;
    const float v79 = x0r + v65, v80 = x0i + v66, v81 = x0r - v65, v82 = x0i - v66;
    const float v83 = v53 + v69, v84 = v54 + v70, v85 = v53 - v69, v86 = v54 - v70;
    const float v87 = v57 + v73, v88 = v58 + v74, v89 = v57 - v73, v90 = v58 - v74;
    const float v91 = v61 + v77, v92 = v62 + v78, v93 = v61 - v77, v94 = v62 - v78;
    const float v95 = v79 + v87, v96 = v80 + v88, v97 = v79 - v87, v98 = v80 - v88;
    const float v99 = v83 + v91, v100 = v84 + v92, v101 = v83 - v91, v102 = v84 - v92;
    const float v103 = v95 + v99, v104 = v96 + v100, v105 = v95 - v99, v106 = v96 - v100;
    const float v107 = v97 + v102, v108 = v98 - v101, v109 = v97 - v102, v110 = v98 + v101;
    const float v111 = 0.707106781f * (v85 + v86), v112 = 0.707106781f * (v86 - v85);
    const float v113 = -0.707106781f * (v93 - v94), v114 = -0.707106781f * (v93 + v94);
    const float v115 = v81 + v90, v116 = v82 - v89, v117 = v81 - v90, v118 = v82 + v89;
    const float v119 = v111 + v113, v120 = v112 + v114, v121 = v111 - v113, v122 = v112 - v114;
    const float v123 = v115 + v119, v124 = v116 + v120, v125 = v115 - v119, v126 = v116 - v120;
    const float v127 = v117 + v122, v128 = v118 - v121, v129 = v117 - v122, v130 = v118 + v121;
    barrier(CLK_LOCAL_MEM_FENCE);
    plane_a[c * 72 + t + 0] = v103; plane_b[c * 72 + t + 0] = v104;
    plane_a[c * 72 + t + 8] = v123; plane_b[c * 72 + t + 8] = v124;
    plane_a[c * 72 + t + 16] = v107; plane_b[c * 72 + t + 16] = v108;
    plane_a[c * 72 + t + 24] = v127; plane_b[c * 72 + t + 24] = v128;
    plane_a[c * 72 + t + 32] = v105; plane_b[c * 72 + t + 32] = v106;
    plane_a[c * 72 + t + 40] = v125; plane_b[c * 72 + t + 40] = v126;
    plane_a[c * 72 + t + 48] = v109; plane_b[c * 72 + t + 48] = v110;
    plane_a[c * 72 + t + 56] = v129; plane_b[c * 72 + t + 56] = v130;
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

