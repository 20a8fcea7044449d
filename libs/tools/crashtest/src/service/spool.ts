import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** Lines of text, one file per lane: what is appended outlives the process, whole or cut off. */
export interface Spool {
  /** Adds lines, each ended by a line feed. */
  append(lane: number, lines: string): void;
  /** The text of a lane from a byte on. */
  read(lane: number, from: number): Buffer;
  size(lane: number): number;
  /** Forgets all lines of all lanes, as a transport does whose retention has passed. */
  expire(): void;
}

/** A spool in a folder. A line that the end of a process cut off is ended when the folder is opened again. */
export function fileSpool(folder: string, lanes: number): Spool {
  mkdirSync(folder, { recursive: true });
  const fileOf = (lane: number): string => join(folder, `lane-${lane}`);
  const size = (lane: number): number => (existsSync(fileOf(lane)) ? statSync(fileOf(lane)).size : 0);
  const read = (lane: number, from: number): Buffer => {
    const text = Buffer.alloc(Math.max(0, size(lane) - from));
    if (text.length === 0) return text;
    const file = openSync(fileOf(lane), 'r');
    const length = readSync(file, text, 0, text.length, from);
    closeSync(file);
    return text.subarray(0, length);
  };
  const append = (lane: number, lines: string): void => appendFileSync(fileOf(lane), lines);
  for (let lane = 0; lane < lanes; lane += 1) {
    const end = size(lane);
    if (end > 0 && read(lane, end - 1)[0] !== 0x0a) append(lane, '\n');
  }
  return {
    append,
    read,
    size,
    expire() {
      for (let lane = 0; lane < lanes; lane += 1) if (size(lane) > 0) truncateSync(fileOf(lane));
    },
  };
}
