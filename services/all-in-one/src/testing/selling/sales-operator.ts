import { demoSchoolId } from '@lyceum/contracts';
import { type Answer, type Place, call } from '@lyceum/testkit';

/**
 * What the operator does with the sales of Lantern Craft: `path` is below `/internal/`. What is asked twice with one `key`
 * is done once.
 */
export const operateSales = (
  { salesOperatorUrl, operatorToken: token }: Pick<Place, 'salesOperatorUrl' | 'operatorToken'>,
  path: string,
  json: object = {},
  key = path,
): Promise<Answer> =>
  call(`${salesOperatorUrl}/internal/${path}`, {
    token,
    headers: { 'idempotency-key': key },
    json: { school: demoSchoolId('lantern-craft'), ...json },
  });

/** Takes the money of an order, as the provider that moves none says it. */
export const takePayment = (
  system: Pick<Place, 'salesOperatorUrl' | 'operatorToken'>,
  order: string,
): Promise<Answer> => operateSales(system, `payments/test/${order}/succeed`);
