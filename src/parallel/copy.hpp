/// Copies between host and device, and synchronisation with the device.
#pragma once

#include <cstddef>

namespace solenoid {

// Sizes in bytes. Throw Error (exit code 1) if the device reports a fault.
void copy_to_device(void* device, const void* host, std::size_t bytes);
void copy_to_host(void* host, const void* device, std::size_t bytes);
void copy_on_device(void* to, const void* from, std::size_t bytes);
void device_synchronize();

// Asynchronous copies between page-locked host memory and the device.
void copy_to_device_later(void* device, const void* host, std::size_t bytes);
void copy_to_host_later(void* host, const void* device, std::size_t bytes);

}  // namespace solenoid
