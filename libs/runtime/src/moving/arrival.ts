import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConcurrencyConflict, IdempotencyMismatch, type NewEvent } from '@lyceum/eventlog';
import type { Meta } from '@lyceum/kernel';
import type { z } from 'zod';
import type { MovingService } from './departure.ts';
import { Unreadable, linesOf } from './lines.ts';
import { type BodyLine, type Header, type StoredCommitLine, bodyLine, endLine, headerLine } from './wire.ts';

/** The log of a service holds something else of the school than what arrives. */
export class AlreadyHere extends Error {
  override readonly name = 'AlreadyHere';
}

/** An exported school in a file of this machine, known to be whole. */
export interface Received {
  readonly header: Header;
  /** Everything between the first line and the last, in order. */
  body(): AsyncGenerator<BodyLine>;
  /** Removes the file. */
  discard(): Promise<void>;
}

/**
 * Keeps what arrives in a file of a folder, readable by its owner only, and reads it once through: only what is whole is
 * worth beginning with. Throws `Unreadable`, and keeps nothing.
 */
export async function receive(parts: AsyncIterable<Uint8Array>, folder: string): Promise<Received> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${randomUUID()}.ndjson`);
  const discard = () => rm(file, { force: true });
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      for await (const part of parts) await handle.writeFile(part);
    } finally {
      await handle.close();
    }
    const header = await readThrough(file);
    return { header, body: () => bodyOf(file), discard };
  } catch (error) {
    await discard();
    throw error;
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
  const { path, message } = result.error.issues[0]!;
  throw new Unreadable(`line ${line}: ${path.join('.')}: ${message}`);
}

async function readThrough(file: string): Promise<Header> {
  const hash = createHash('sha256');
  let [count, last]: [number, string | undefined] = [0, undefined];
  let header: Header | undefined;
  for await (const line of linesOf(createReadStream(file))) {
    if (last !== undefined) {
      hash.update(`${last}\n`);
      count += 1;
      if (count === 1) header = parsed(headerLine, last, count);
      else parsed(bodyLine, last, count);
    }
    last = line;
  }
  if (!header || last === undefined) throw new Unreadable('it is empty, or ends after the first line');
  const { end } = parsed(endLine, last, count + 1);
  if (end.lines !== count || end.sha256 !== hash.digest('hex')) throw new Unreadable('it is not what was sent');
  return header;
}

async function* bodyOf(file: string): AsyncGenerator<BodyLine> {
  let [count, last]: [number, string | undefined] = [0, undefined];
  for await (const line of linesOf(createReadStream(file))) {
    if (count > 1) yield parsed(bodyLine, last!, count);
    last = line;
    count += 1;
  }
}

/**
 * Writes what arrives of a school into the logs of its services: the same commits with the same ids, times and versions,
 * at new positions. What is there already, from a try before, is compared and passed over. Gives the number of commits
 * of each service. Throws `AlreadyHere`, and what `append` and `adopt` throw.
 */
export async function arrive(
  { header: { school }, body }: Pick<Received, 'header' | 'body'>,
  services: readonly MovingService[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const line of body()) {
    const service = services.find(({ name }) => name === line.service);
    if (!service) throw new Unreadable(`there is no service ${line.service} in this process`);
    if ('key' in line) await service.vault.adopt(school, Buffer.from(line.key, 'base64'));
    else if ('subjects' in line) for (const each of line.subjects) await service.vault.adoptSubject(school, each);
    else {
      await write(service, school, line.commit);
      counts.set(service.name, (counts.get(service.name) ?? 0) + 1);
    }
  }
  return counts;
}

async function write({ stored, name }: MovingService, tenant: string, commit: StoredCommitLine): Promise<void> {
  const { id: commitId, at, meta, fingerprint, streams } = commit;
  const events = commit.events as readonly NewEvent[];
  const expectations = streams.map(({ id, before }) => ({ stream: id, version: before }));
  const append = { tenant, commitId, at, meta: meta as Meta, fingerprint, expectations, events };
  try {
    const { commit: written } = await stored.append(append);
    const there = written.events.map(({ stream, type, schema, data }) => ({ stream, type, schema, data }));
    if (JSON.stringify(there) === JSON.stringify(events) && written.at === at) return;
  } catch (error) {
    if (!(error instanceof ConcurrencyConflict || error instanceof IdempotencyMismatch)) throw error;
  }
  throw new AlreadyHere(`the ${name} service has other commits of this school`);
}
