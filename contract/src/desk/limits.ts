/** Bytes in UTF-8 of what a reader types when it is asked for its configuration (DSK-02). */
export const typedBytes = 64 * 1024
