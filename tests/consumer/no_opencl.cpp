#include <iostream>

#include <clprim/gemm/policy.hpp>

int main() { std::cout << clprim::to_string(clprim::gemm_policy{}) << '\n'; }
