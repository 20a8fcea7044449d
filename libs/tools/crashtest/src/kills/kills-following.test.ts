import { describe, expect, test } from '@jest/globals';
import { compiledFirst, patience, survived } from './survived.ts';

compiledFirst();

describe('after every SIGKILL each consumer has applied each fact once and in order', () => {
  test(
    'C5: the transport acknowledged, the checkpoint is not saved: published again, and the watermark drops it',
    async () => expect((await survived('C5', 12)).repeated).toBeGreaterThan(0),
    patience,
  );

  test(
    'C6: killed while the transport takes a batch: the same batch is sent again, whatever of it had arrived',
    async () => expect((await survived('C6', 12)).repeated).toBeGreaterThan(0),
    patience,
  );

  test(
    'C7: a relay with an old place publishes beside another one: repeats and rewinds are dropped',
    async () => expect((await survived('C7', 14)).repeated).toBeGreaterThan(0),
    patience,
  );

  test(
    'C8: the transport lost records: the gap is seen, and the owner’s history fills it',
    async () => expect((await survived('C8', 10)).missing).toBeGreaterThan(0),
    patience,
  );

  test(
    'C9: the effect is done, the watermark is not saved: the fact comes again, and its effect is there once',
    async () => expect((await survived('C9', 20)).redelivered).toBeGreaterThan(0),
    patience,
  );
});
