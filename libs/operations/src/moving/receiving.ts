import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { Unreadable, linesOf } from './lines.ts';
import { type BodyLine, type Header, bodyLine, endLine, headerLine, longestBody } from './wire.ts';
import { firstIssue } from '../first-issue.ts';

/** The body goes on beyond what is taken. */
export class BodyTooLong extends Error {
  override readonly name = 'BodyTooLong';
}

/** A line between the first and the last, with its number. */
export interface Numbered {
  readonly number: number;
  readonly line: BodyLine;
}

/** An exported school in a file of this machine, known to be whole. */
export interface Received {
  readonly header: Header;
  /** SHA-256 of all its lines but the last, as the last one says. */
  readonly digest: string;
  /** Everything between the first line and the last, in order. */
  body(): AsyncGenerator<Numbered>;
  /** Removes the file. */
  discard(): Promise<void>;
}

/**
 * Keeps what arrives in a file of a folder, readable by its owner only, and reads it once through: only what is whole is
 * worth beginning with. Throws `Unreadable` and `BodyTooLong`, and keeps nothing.
 */
export async function receive(parts: AsyncIterable<Uint8Array>, folder: string): Promise<Received> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${randomUUID()}.ndjson`);
  const discard = () => rm(file, { force: true });
  try {
    await keep(parts, file);
    return { ...(await readThrough(file)), body: () => bodyOf(file), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function keep(parts: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let length = 0;
    for await (const part of parts) {
      length += part.length;
      if (length > longestBody) throw new BodyTooLong();
      await handle.writeFile(part);
    }
  } finally {
    await handle.close();
  }
}

function parsed<T extends z.ZodType>(schema: T, text: string, line: number): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unreadable(`line ${line} is not JSON`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Unreadable(`line ${line}: ${firstIssue(result.error)}`);
}

async function readThrough(file: string): Promise<{ readonly header: Header; readonly digest: string }> {
  const hash = createHash('sha256');
  let [count, last]: [number, string | undefined] = [0, undefined];
  let header: Header | undefined;
  for await (const line of linesOf(createReadStream(file))) {
    if (last !== undefined) {
      hash.update(`${last}\n`);
      count += 1;
      if (count === 1) header = parsed(headerLine, last, count);
    }
    last = line;
  }
  if (!header || last === undefined) throw new Unreadable('it is empty, or ends after the first line');
  const { end } = parsed(endLine, last, count + 1);
  const digest = hash.digest('hex');
  if (end.lines !== count || end.sha256 !== digest) throw new Unreadable('it is not what was sent');
  return { header, digest };
}

async function* bodyOf(file: string): AsyncGenerator<Numbered> {
  let [count, last]: [number, string | undefined] = [0, undefined];
  for await (const line of linesOf(createReadStream(file))) {
    if (last !== undefined && count > 1) yield { number: count, line: parsed(bodyLine, last, count) };
    last = line;
    count += 1;
  }
}
