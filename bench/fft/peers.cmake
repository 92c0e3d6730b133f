# The peers of bench_fft alone: FFTW with threads, clFFT, VkFFT's OpenCL back end, cuFFT. A missing
# one is named in the table.

find_path(CLPRIM_FFTW_INCLUDE_DIR fftw3.h)
find_library(CLPRIM_FFTW_LIBRARY fftw3f)
find_library(CLPRIM_FFTW_THREADS_LIBRARY fftw3f_threads)
find_library(CLPRIM_FFTW_DOUBLE_LIBRARY fftw3)
find_library(CLPRIM_FFTW_DOUBLE_THREADS_LIBRARY fftw3_threads)
find_path(CLPRIM_CLFFT_INCLUDE_DIR clFFT.h)
find_library(CLPRIM_CLFFT_LIBRARY clFFT)
find_path(CLPRIM_VKFFT_INCLUDE_DIR vkFFT.h PATH_SUFFIXES vkFFT)
mark_as_advanced(CLPRIM_FFTW_INCLUDE_DIR CLPRIM_FFTW_LIBRARY CLPRIM_FFTW_THREADS_LIBRARY
                 CLPRIM_FFTW_DOUBLE_LIBRARY CLPRIM_FFTW_DOUBLE_THREADS_LIBRARY
                 CLPRIM_CLFFT_INCLUDE_DIR CLPRIM_CLFFT_LIBRARY CLPRIM_VKFFT_INCLUDE_DIR)

function(add_fft_peer name found)
  if(found)
    target_compile_definitions(bench_fft PRIVATE CLPRIM_HAS_${name}=1)
    target_link_libraries(bench_fft PRIVATE ${ARGN})
    message(STATUS "bench_fft compares with ${name}")
  else()
    target_compile_definitions(bench_fft PRIVATE CLPRIM_HAS_${name}=0)
    message(STATUS "bench_fft leaves out ${name}: it is not installed")
  endif()
endfunction()

set(fftw_found OFF)
if(CLPRIM_FFTW_INCLUDE_DIR AND CLPRIM_FFTW_LIBRARY AND CLPRIM_FFTW_THREADS_LIBRARY
   AND CLPRIM_FFTW_DOUBLE_LIBRARY AND CLPRIM_FFTW_DOUBLE_THREADS_LIBRARY)
  set(fftw_found ON)
  target_include_directories(bench_fft SYSTEM PRIVATE "${CLPRIM_FFTW_INCLUDE_DIR}")
endif()
add_fft_peer(FFTW "${fftw_found}" "${CLPRIM_FFTW_THREADS_LIBRARY}" "${CLPRIM_FFTW_LIBRARY}"
             "${CLPRIM_FFTW_DOUBLE_THREADS_LIBRARY}" "${CLPRIM_FFTW_DOUBLE_LIBRARY}")

set(clfft_found OFF)
if(CLPRIM_CLFFT_INCLUDE_DIR AND CLPRIM_CLFFT_LIBRARY)
  set(clfft_found ON)
  target_include_directories(bench_fft SYSTEM PRIVATE "${CLPRIM_CLFFT_INCLUDE_DIR}")
endif()
add_fft_peer(CLFFT "${clfft_found}" "${CLPRIM_CLFFT_LIBRARY}")

# VkFFT is a header of C that our warnings do not suit.
set(vkfft_found OFF)
if(CLPRIM_VKFFT_INCLUDE_DIR)
  set(vkfft_found ON)
  add_library(vkfft_peer STATIC fft/vkfft_peer.cc)
  target_include_directories(vkfft_peer SYSTEM PRIVATE "${CLPRIM_VKFFT_INCLUDE_DIR}")
  target_compile_options(vkfft_peer PRIVATE -w)
  target_link_libraries(vkfft_peer PRIVATE clprim::clprim OpenCL::OpenCL)
endif()
add_fft_peer(VKFFT "${vkfft_found}" vkfft_peer)

set(cufft_found OFF)
if(TARGET CUDA::cufft AND TARGET CUDA::cudart)
  set(cufft_found ON)
endif()
add_fft_peer(CUFFT "${cufft_found}" CUDA::cufft CUDA::cudart)
