/** The unit of `buffer_mb`. */
export const bytesPerMb = 1024 * 1024;
