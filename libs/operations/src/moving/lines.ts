import { TextDecoder } from 'node:util';
import { longestLine } from './wire.ts';

/** A text that is not what it should be. `message` says what is wrong, and in which line. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** The lines of a text that arrives in pieces, without their ends. Throws `Unreadable` for a line that is too long or not UTF-8. */
export async function* linesOf(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  for await (const part of parts) {
    const lines = (rest + decoded(decoder, part)).split('\n');
    rest = lines.pop()!;
    if (rest.length > longestLine) throw new Unreadable(`a line is longer than ${longestLine} characters`);
    yield* lines;
  }
  rest += decoded(decoder);
  if (rest !== '') yield rest;
}

function decoded(decoder: TextDecoder, part?: Uint8Array): string {
  try {
    return part ? decoder.decode(part, { stream: true }) : decoder.decode();
  } catch (cause) {
    throw new Unreadable('it is not UTF-8', { cause });
  }
}
