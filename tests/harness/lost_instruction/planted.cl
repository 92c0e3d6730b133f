// Nobody asks for the copy: tests/harness/keeps_instructions must say so.
__kernel void planted(__global float *out)
{
    const int role = 0;
    if (role > 0) asm volatile("cp.async.bulk.tensor.3d [%0];" :: "l"(out) : "memory");
    out[0] = 1;
}
