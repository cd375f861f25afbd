/* For sanitizer builds: libraries stay loaded to the end, so that a leak inside one is reported with its name. */
int dlclose(void* library);
int dlclose(void* library) {
  (void)library;
  return 0;
}
