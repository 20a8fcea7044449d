/** Where the bytes of files are sent and read: beside the API, without a token. */
export const mediaPaths = {
  sending: '/media/uploads',
  privateFiles: '/media/files',
  publicFiles: '/media/public',
} as const;

/** Bytes of the largest file that a school may have. */
export const largestFile = 2 * 1024 ** 3;
