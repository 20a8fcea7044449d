// Where tests keep what they write for their own time. Thousands of small commits wait for the disk otherwise; what a
// SIGKILL leaves behind is the same in memory, and no test cuts the power.
import { accessSync, constants, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const memoryDisk = '/dev/shm';
const gibibyte = 2 ** 30;

/** A folder in memory where there is room enough, else the temporary folder; TMPDIR chooses another. */
export function fastFolder() {
  if (process.env['TMPDIR']) return process.env['TMPDIR'];
  try {
    accessSync(memoryDisk, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryDisk);
    return Math.min(bavail * bsize, freemem()) > 4 * gibibyte ? memoryDisk : tmpdir();
  } catch {
    return tmpdir();
  }
}
