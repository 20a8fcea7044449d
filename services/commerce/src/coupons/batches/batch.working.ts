import { execute, fold } from '@lyceum/eventlog';
import { isRejection, isoTime, uuidv5 } from '@lyceum/kernel';
import type { ModulePorts, Reaction } from '@lyceum/service';
import { couponDecider } from '../coupon.ts';
import { codeOf } from './batch.codes.ts';
import { batchEvents } from './batch.events.ts';
import type { Batch } from './batch.state.ts';
import { batchDecider } from './batch.ts';

type WorkingPorts = Pick<ModulePorts, 'log' | 'clock'>;

/** Coupons that are made together: then others have their turn, and it is written down how many there are. */
const atATime = 25;

/** Codes that are tried for one coupon: only one of many millions is taken. */
const mostAttempts = 5;

/** A batch at work. */
interface Working {
  readonly school: string;
  readonly id: string;
  readonly batch: Batch;
}

/** Makes one coupon of a batch, once: its id and the ids of its commits follow from the batch. */
async function makeCoupon({ log, clock }: WorkingPorts, { school, id, batch }: Working, index: number) {
  const { currency, fields, requested_by: by } = batch;
  const stream = `coupon_${uuidv5('coupon-of-batch', school, id, index)}`;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const code = codeOf(batch, index, attempt);
    const done = await execute(log, couponDecider, {
      tenant: school,
      stream,
      command: { type: 'CreateCoupon', code, currency, fields, by, batch_id: id },
      at: isoTime(clock.now()),
      meta: { actor: by },
      commitId: uuidv5('coupon-of-batch', school, id, index, attempt),
    });
    // It was made at an earlier attempt, before a crash.
    if (!isRejection(done) || done.rejected === 'invalid_state') return;
    if (done.rejected !== 'code_taken') throw new Error(`a coupon of ${id} cannot be made: ${done.reason}`);
  }
  throw new Error(`every code of a coupon of ${id} is taken`);
}

/** Makes the next coupons of a batch. What fails for a while is thrown; repeated, nothing is done twice. */
async function advanceBatch(ports: WorkingPorts, school: string, id: string): Promise<void> {
  const { state: batch } = await fold(ports.log, batchDecider, school, id);
  if (!batch || batch.made >= batch.count) return;
  const made = Math.min(batch.made + atATime, batch.count);
  const indexes = Array.from({ length: made - batch.made }, (_, index) => batch.made + index);
  await Promise.all(indexes.map((index) => makeCoupon(ports, { school, id, batch }, index)));
  await execute(ports.log, batchDecider, {
    tenant: school,
    stream: id,
    command: { type: 'AdvanceBatch', from: batch.made, made },
    at: isoTime(ports.clock.now()),
    meta: { actor: 'system' },
    commitId: uuidv5('coupon-batch', school, id, batch.made),
  });
}

/**
 * Works on batches, a few coupons for each event: an event of a batch asks for its next coupons, and writing down that
 * they are there is the next event. A crash anywhere repeats at most those coupons.
 */
export const batchWorking: Reaction = {
  name: 'coupon-batches',
  events: Object.keys(batchEvents),
  perform: ({ tenant, stream }, ports) => advanceBatch(ports, tenant, stream),
};
