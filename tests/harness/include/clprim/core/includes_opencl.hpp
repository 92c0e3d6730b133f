#pragma once
#include <CL/cl.h>
