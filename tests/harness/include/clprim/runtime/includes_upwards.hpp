#pragma once
#include <clprim/above/it.hpp>
