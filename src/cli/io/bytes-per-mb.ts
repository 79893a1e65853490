/** `buffer_mb` counts in these. */
export const bytesPerMb = 1024 * 1024;
