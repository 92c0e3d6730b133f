// clprim Fourier transforms of 64 points
// clprim::fft_policy{.shape = clprim::fft_shape::items, .points = 8, .lanes = 8, .radices = {}, .group = 128, .columns = 16, .staging = 16, .exchange = clprim::fft_exchange::planes, .twiddles = clprim::fft_twiddles::powers, .padding = true, .one_pass = 8192, .local_bytes = 0, .pipeline_kib = 0, .transposed = false, .blocked = false, .streaming = clprim::fft_streaming::none, .registers = 0, .separate = false, .ordered = false, .ahead = 0}
#define R float
#define R2 float2
#define RESTRICT restrict
#define LENGTH 64
#define WHOLE 0
#define IN float2
#define IN_VALUE float2
#define IN_STEP ((long)1)
#define IN_PLACE 1
#define IN_INDEX ((long)0)
#define IN_ACROSS 64
#define IN_PLACE_ACROSS 0
#define IN_INDEX_ACROSS 0
#define IN_POINTS 0
#define IN_FACTOR (-1)
#define LOAD_PARAMETERS 
#define LOAD_ARGUMENTS 
#define OUT float2
#define OUT_STEP ((long)1)
#define OUT_PLACE 1
#define OUT_INDEX ((long)0)
#define OUT_ACROSS 64
#define OUT_PLACE_ACROSS 0
#define OUT_INDEX_ACROSS 0
#define OUT_POINTS 0
#define OUT_FACTOR (-1)
#define STORE_PARAMETERS 
#define STORE_ARGUMENTS 
#define OUT_PLACES 64
#define PAIR_ROOTS 0
#line "clprim/fft/pass/points_text.hpp"
#define FETCH_ELEMENT(p, at) (p)[at]
#line "clprim/fft/pass/points_text.hpp"
#define LOADED(value, index) convert_float2(value)
#line "clprim/fft/pass/points_text.hpp"
inline float2 pass_read_element(__global const IN *in, const long at, const long index
                               LOAD_PARAMETERS)
{
    const float2 value = FETCH_ELEMENT(in, at);
    return LOADED(value, index);
}
#line "clprim/fft/pass/points_text.hpp"
#define KEEP_ELEMENT(p, at, done) (p)[at] = done
#line "clprim/fft/pass/points_text.hpp"
#define STORED(value, index) convert_float2(value)
#line "clprim/fft/pass/points_text.hpp"
inline void pass_write_element(__global OUT *out, const long at, const long index,
                               const float2 value STORE_PARAMETERS)
{
    const float2 done = STORED(value, index);
    KEEP_ELEMENT(out, at, done);
}
#line "generated"
#define SCALES_PARAMETER 
#define SCALES_ARGUMENT(c) 
#define UNSCALES_PARAMETER 
#define UNSCALES_ARGUMENT(c) 
#line "clprim/fft/pass/points_text.hpp"
#define ELEMENT(n) \
    pass_read_element(in, at + (n) * IN_STEP, index + (n) * IN_INDEX LOAD_ARGUMENTS)
inline R2 pass_read_point(__global const IN *in, const long at, const long place,
                          const long index, const int n, __global const R2 *factors
                          SCALES_PARAMETER LOAD_PARAMETERS)
{
#line "clprim/fft/pass/points_text.hpp"
    if (IN_POINTS != 0 && place + n * (long)IN_PLACE >= IN_POINTS) return (R2)(0, 0);
    R2 x = ELEMENT((long)n);
#line "clprim/fft/pass/points_text.hpp"
    return x;
}
#line "clprim/fft/pass/points_text.hpp"
inline void pass_write_point(__global OUT *out, const long at, const long place,
                             const long index, const int k, R2 y, __global const R2 *factors
                             UNSCALES_PARAMETER STORE_PARAMETERS)
{
#line "clprim/fft/pass/points_text.hpp"
    if (OUT_POINTS != 0 && place + k * (long)OUT_PLACE >= OUT_POINTS) return;
    const long t = at + (long)k * OUT_STEP, u = index + (long)k * OUT_INDEX;
#line "clprim/fft/pass/points_text.hpp"
    pass_write_element(out, t, u, y STORE_ARGUMENTS);
#line "clprim/fft/pass/points_text.hpp"
}
#line "clprim/fft/pass/points_text.hpp"
#define UNUSED __attribute__((unused))
#define PARAMETERS \
    __global const IN *RESTRICT in, const long in_offset, __global OUT *RESTRICT out, \
    const long out_offset, __global const R2 *restrict factors, \
    __global const int *restrict places, const long extent LOAD_PARAMETERS STORE_PARAMETERS
#define LOCATE \
    long in_at UNUSED = in_offset, out_at UNUSED = out_offset; \
    long in_place UNUSED = 0, out_place UNUSED = 0, in_index UNUSED = 0, out_index UNUSED = 0;
#define AXIS(o, number) const long o = (long)number;
#define NEXT_AXIS(extent) rest /= extent;
#define MOVE(o, step_in, step_out, place_in, place_out, index_in, index_out) \
    in_at += (o) * (step_in); out_at += (o) * (step_out); \
    in_place += (o) * (place_in); out_place += (o) * (place_out); \
    in_index += (o) * (index_in); out_index += (o) * (index_out);
#define HERE(block, extent) const int here = (int)min((long)block, extent - first);
#line "generated"
#define GROUP 128
#define TOGETHER 16
#define PITCH 72
#define PLANE 1152
#define ORDERED 
#define RE_IN x
#define IM_IN y
#define OUT_BLOCK 1
#define TURNS 0
#define TURNS_BITS 10
#define TURNS_LOW 1023
#define PAIR_ROOT(k) factors[PAIR_ROOTS + (k)]
#line "clprim/fft/pass/items_text.hpp"
#define LOCAL_MEMORY __local ORDERED R plane_a[PLANE]; __local ORDERED R plane_b[PLANE];
#define LOCAL_POINTERS \
    __local ORDERED R *plane_a = (__local ORDERED R *)room, *plane_b = plane_a + PLANE;
#define PUT(at, re, im) plane_a[at] = re; plane_b[at] = im;
#define VALUE(at) (R2)(plane_a[at], plane_b[at])
#define VALUE_RE(at) plane_a[at]
#define VALUE_IM(at) plane_b[at]
#line "clprim/fft/pass/items_text.hpp"
#define READ_POINT(c, n) \
    pass_read_point(in, in_at + (long)(c) * IN_ACROSS, in_place + (long)(c) * IN_PLACE_ACROSS, \
                    in_index + (long)(c) * IN_INDEX_ACROSS, n, factors SCALES_ARGUMENT(c) \
                    LOAD_ARGUMENTS)
#define EXISTING(c) min(c, here - 1)
#define FROM(c) const int from UNUSED = EXISTING(c);
#define LOAD(into, c, n) { const R2 p = POINT(c, n); into##r = p.x; into##i = p.y; }
// One address for all points of an item, `leg` elements apart.
#define NEAR_POINTS(c, t) \
    __global const R2 *points = \
        (__global const R2 *)(in + in_at + (long)(c) * IN_ACROSS + (long)(t) * IN_STEP);
#define LOAD_NEAR(into, leg) \
    { const R2 p = points[leg]; into##r = p.RE_IN; into##i = p.IM_IN; }
// Pairs that lie as complex numbers do are read as such.
#define POINTS_ALIGNED (((size_t)points & (sizeof(R2) - 1)) == 0)
#line "clprim/fft/pass/items_text.hpp"
#define POINT(c, n) VALUE((c) * PITCH + n)
#line "clprim/fft/pass/items_text.hpp"
#define ROW_PLACE(at, count) \
    const int c##at = i##at / (count), n##at = i##at % (count);
#define COLUMN_PLACE(at, count) \
    const int c##at = i##at % TOGETHER, n##at = i##at / TOGETHER;
#define STAGE(at) const R2 p##at = READ_POINT(EXISTING(c##at), n##at);
#define STAGED(at) PUT(c##at * PITCH + n##at, p##at.x, p##at.y)
#define PUT_POINT(to, at) PUT(to, p##at.x, p##at.y)
#define READ_RUN \
    const long in_run = in_at + (long)lid * IN_STEP, in_run_index = in_index + (long)lid * IN_INDEX;
#define RUN_VALUE(at) R2 p##at;
#define RUN_WHOLE(at) \
    p##at = pass_read_point(in, in_run, 0, in_run_index, at, factors LOAD_ARGUMENTS);
#define RUN_TO(at, last) \
    p##at = pass_read_point(in, in_at, 0, in_index, min(lid + at, last), factors LOAD_ARGUMENTS);
#define WRITE_RUN \
    const long out_run = out_at + (long)lid * OUT_STEP, \
               out_run_index = out_index + (long)lid * OUT_INDEX;
#define WRITE_RUN_POINT(n, y) \
    pass_write_point(out, out_run, 0, out_run_index, n, y, factors STORE_ARGUMENTS);
// The row, of `count` values, and the place in it of number lid + `at` of the group's values.
#define ROW_OF(at, count) \
    const int row = (int)((uint)(lid + at) / count##u), k = lid + at - row * count;
#define EACH_NUMBER(count) for (int at = 0; at < count; at += GROUP)
#line "clprim/fft/pass/items_text.hpp"
#define WRITE_POINT(c, k, y) \
    pass_write_point(out, out_at + (long)(c) * OUT_ACROSS, \
                     out_place + (long)(c) * OUT_PLACE_ACROSS, \
                     out_index + (long)(c) * OUT_INDEX_ACROSS, k, y, \
                     factors UNSCALES_ARGUMENT(c) STORE_ARGUMENTS);
#define PLACE_OF(c, k) (out_place + (long)(c) * OUT_PLACE_ACROSS + (long)(k) * OUT_PLACE)
// Points in blocks of OUT_BLOCK: the other points of an item are whole blocks away.
#define BEGIN_WRITE(here, t) \
    const long out##here = out_at + (long)c * OUT_ACROSS + (long)(t) * OUT_STEP \
                           - (long)((t) % OUT_BLOCK) * (OUT_STEP - 1), \
               out_place##here UNUSED = out_place + (long)c * OUT_PLACE_ACROSS \
                                        + (long)(t) * OUT_PLACE, \
               out_index##here = out_index + (long)c * OUT_INDEX_ACROSS + (long)(t) * OUT_INDEX;
#define WRITE_AT(here, k, y) \
    pass_write_point(out, out##here, out_place##here, out_index##here, k, y, \
                     factors UNSCALES_ARGUMENT(c) STORE_ARGUMENTS);
#define PLACE_HERE(k) (out_place_here + (k) * (long)OUT_PLACE)
// The factor of what is stored at a place, zero where nothing is.
#define OUT_FACTOR_OF(f, place) \
    const R2 f = ((place) < OUT_PLACES ? factors[OUT_FACTOR + (place)] : (R2)(0, 0));
#define UNUSED_VALUE(re, im) (void)(re), (void)(im);
#line "clprim/fft/pass/items_text.hpp"
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void fft(PARAMETERS)
{
    LOCAL_MEMORY
#line "clprim/fft/pass/items_text.hpp"
    uint rest = (uint)get_group_id(0);
#line "generated"
    LOCATE
    AXIS(first, rest * 16)
    MOVE(first, 64, 64, 0, 0, 0, 0)
    HERE(16, extent)
#line "clprim/fft/pass/items_text.hpp"
    const int lid = get_local_id(0);
#line "clprim/fft/pass/items_text.hpp"
    const int t = lid % 8, c = lid / 8;
#line "generated"
    float x0r = 0, x0i = 0, x1r = 0, x1i = 0, x2r = 0, x2i = 0, x3r = 0, x3i = 0, x4r = 0, x4i = 0, x5r = 0, x5i = 0, x6r = 0, x6i = 0, x7r = 0, x7i = 0;
    const int q3 = (t) % 8;
    const float2 f4 = factors[0 + q3];
    READ_RUN
    RUN_VALUE(0)
    RUN_VALUE(128)
    RUN_VALUE(256)
    RUN_VALUE(384)
    RUN_VALUE(512)
    RUN_VALUE(640)
    RUN_VALUE(768)
    RUN_VALUE(896)
    if (here == TOGETHER) {
    RUN_WHOLE(0)
    RUN_WHOLE(128)
    RUN_WHOLE(256)
    RUN_WHOLE(384)
    RUN_WHOLE(512)
    RUN_WHOLE(640)
    RUN_WHOLE(768)
    RUN_WHOLE(896)
    } else {
    RUN_TO(0, here * LENGTH - 1)
    RUN_TO(128, here * LENGTH - 1)
    RUN_TO(256, here * LENGTH - 1)
    RUN_TO(384, here * LENGTH - 1)
    RUN_TO(512, here * LENGTH - 1)
    RUN_TO(640, here * LENGTH - 1)
    RUN_TO(768, here * LENGTH - 1)
    RUN_TO(896, here * LENGTH - 1)
    }
    const int in_local = lid / 64 * 72 + lid % 64;
    PUT_POINT(in_local + 0, 0)
    PUT_POINT(in_local + 144, 128)
    PUT_POINT(in_local + 288, 256)
    PUT_POINT(in_local + 432, 384)
    PUT_POINT(in_local + 576, 512)
    PUT_POINT(in_local + 720, 640)
    PUT_POINT(in_local + 864, 768)
    PUT_POINT(in_local + 1008, 896)
    barrier(CLK_LOCAL_MEM_FENCE);
    LOAD(x0, c, t + 0)
    LOAD(x1, c, t + 8)
    LOAD(x2, c, t + 16)
    LOAD(x3, c, t + 24)
    LOAD(x4, c, t + 32)
    LOAD(x5, c, t + 40)
    LOAD(x6, c, t + 48)
    LOAD(x7, c, t + 56)
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
    PUT(c * PITCH + t + 0, v103, v104)
    PUT(c * PITCH + t + 8, v123, v124)
    PUT(c * PITCH + t + 16, v107, v108)
    PUT(c * PITCH + t + 24, v127, v128)
    PUT(c * PITCH + t + 32, v105, v106)
    PUT(c * PITCH + t + 40, v125, v126)
    PUT(c * PITCH + t + 48, v109, v110)
    PUT(c * PITCH + t + 56, v129, v130)
    barrier(CLK_LOCAL_MEM_FENCE);
    WRITE_RUN
    const int out_local = lid / 64 * 72 + lid % 64;
    if ((lid + 0) < here * 64) {
    WRITE_RUN_POINT(0, (R2)(VALUE_RE(out_local + 0), VALUE_IM(out_local + 0)))
    }
    if ((lid + 128) < here * 64) {
    WRITE_RUN_POINT(128, (R2)(VALUE_RE(out_local + 144), VALUE_IM(out_local + 144)))
    }
    if ((lid + 256) < here * 64) {
    WRITE_RUN_POINT(256, (R2)(VALUE_RE(out_local + 288), VALUE_IM(out_local + 288)))
    }
    if ((lid + 384) < here * 64) {
    WRITE_RUN_POINT(384, (R2)(VALUE_RE(out_local + 432), VALUE_IM(out_local + 432)))
    }
    if ((lid + 512) < here * 64) {
    WRITE_RUN_POINT(512, (R2)(VALUE_RE(out_local + 576), VALUE_IM(out_local + 576)))
    }
    if ((lid + 640) < here * 64) {
    WRITE_RUN_POINT(640, (R2)(VALUE_RE(out_local + 720), VALUE_IM(out_local + 720)))
    }
    if ((lid + 768) < here * 64) {
    WRITE_RUN_POINT(768, (R2)(VALUE_RE(out_local + 864), VALUE_IM(out_local + 864)))
    }
    if ((lid + 896) < here * 64) {
    WRITE_RUN_POINT(896, (R2)(VALUE_RE(out_local + 1008), VALUE_IM(out_local + 1008)))
    }
#line "clprim/fft/pass/items_text.hpp"
}
