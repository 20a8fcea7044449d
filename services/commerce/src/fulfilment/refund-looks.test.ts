import { beforeEach, describe, expect, test } from '@jest/globals';
import { Vault, execute, fold, memoryEventLog, memoryKeyStore } from '@lyceum/eventlog';
import { isoTime } from '@lyceum/kernel';
import { NeedsOperator } from '@lyceum/service';
import { FakeClock } from '@lyceum/testkit';
import { type OrderCommand, orderDecider } from '../orders/deciding/order.ts';
import { SchoolTurns } from '../ordering/school-turns.ts';
import type { PaymentNotice, PaymentProvider } from '../payments/payment-provider.ts';
import { testProvider } from '../payments/test-provider.ts';
import { id, noticed, nothingHeld, payment_id, placing, times } from '../testing/orders-of-tests.ts';
import { type FulfilmentPorts, type Fulfilling, carryOut } from './fulfilment.commands.ts';

const tenant = 'school_1';

describe('a refund that the provider takes long for', () => {
  let ports: FulfilmentPorts;
  let told: PaymentNotice[];

  const happen = (command: OrderCommand) =>
    execute(ports.log, orderDecider, {
      tenant,
      stream: id,
      command,
      at: isoTime(ports.clock.now()),
      meta: { actor: 'test' },
      commitId: crypto.randomUUID(),
      fingerprint: '',
    });
  const act = (what: Fulfilling, resumed = false) =>
    carryOut(
      what,
      { tenant, correlation: id, commitId: crypto.randomUUID(), at: times.paid, meta: { actor: 'system' }, resumed },
      ports,
    );
  const state = async () => (await fold(ports.log, orderDecider, tenant, id)).state;

  beforeEach(async () => {
    const clock = new FakeClock(times.paid);
    told = [];
    const provider: PaymentProvider = {
      ...testProvider(clock),
      refund: async () => ({ state: 'pending' }),
      look: async () => told,
    };
    ports = {
      log: memoryEventLog(),
      clock,
      turns: new SchoolTurns(),
      documents: { get: async () => undefined },
      providers: new Map([['test', provider]]),
      vault: new Vault(memoryKeyStore(), [Buffer.alloc(32, 7)]),
    };
    await happen(placing([300]));
    await happen({ type: 'OpenPayment', payment_id, reference: 'ref_1', url: null });
    await happen(noticed('captured', 300));
    await happen({
      type: 'RequestRefund',
      order_id: id,
      refund_id: 'r1',
      amount: null,
      line_ids: [],
      reason: 'asked',
      held: nothingHeld,
    });
    await act({ do: 'refund', refund_id: 'r1' });
  });

  const notice = (kind: PaymentNotice['kind']): PaymentNotice => ({
    ...noticed(kind, 300, { refund_id: 'r1', event_id: `${kind}_r1` }).notice,
  });

  test('is as it was asked for while the provider says nothing, and the operator is told', async () => {
    expect(await state()).toMatchObject({ status: 'paid', refunds: [{ state: 'requested' }] });
    await expect(act({ do: 'look_at_refund', refund_id: 'r1' })).rejects.toThrow(NeedsOperator);
    await expect(act({ do: 'look_at_refund', refund_id: 'r1' })).rejects.toThrow('r1 of 300 USD has not gone back');
  });

  test('is done when the provider says so once it is asked', async () => {
    told = [notice('refunded')];
    await act({ do: 'look_at_refund', refund_id: 'r1' });
    expect(await state()).toMatchObject({ status: 'refunded', refunds: [{ state: 'done' }] });
    await act({ do: 'look_at_refund', refund_id: 'r1' });
  });

  test('has failed when the provider says so: the operator is told with its words, until they have taken note', async () => {
    told = [{ ...notice('refund_failed'), reason: 'expired_or_canceled_card' }];
    await act({ do: 'look_at_refund', refund_id: 'r1' });
    expect(await state()).toMatchObject({
      status: 'paid',
      refunds: [{ state: 'failed' }],
      lines: [{ revoked: false }],
    });
    await expect(act({ do: 'refund_failed', refund_id: 'r1' })).rejects.toThrow('expired_or_canceled_card');
    expect(await act({ do: 'refund_failed', refund_id: 'r1' }, true)).toEqual({});
  });
});
