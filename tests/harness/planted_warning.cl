// What harness/without_warnings must find.
__kernel void planted_warning(__global float *y) {
  int planted = 0;
  y[0] = 1.0f;
}
