import { grantTypes } from '@lyceum/contracts';
import { isOneOf } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import { type Step, refusing } from '../../http/exchange/exchange.ts';
import { parametersSlot } from '../../http/exchange/parameters.ts';
import { clientSlot } from '../clients/requesting-client.ts';

type GrantType = (typeof grantTypes)[number];

/** The grant type is known, and the client registered it. @see RFC 6749 §5.2 */
export const checkGrantType: Step = refusing(['unsupported_grant_type', 'unauthorized_client'], (exchange) => {
  const type = exchange.require(parametersSlot).get('grant_type');
  if (type === undefined) throw new Problem('invalid_request', 'grant_type is missing');
  if (!isOneOf(grantTypes, type))
    throw new Problem('unsupported_grant_type', `The grant types are ${grantTypes.join(' and ')}`);
  if (!exchange.require(clientSlot).metadata.grant_types.includes(type))
    throw new Problem('unauthorized_client', 'The client did not register this grant type');
});

/** Goes on with the steps of the grant type. */
export const byGrantType = (steps: Readonly<Record<GrantType, readonly Step[]>>): Step =>
  refusing(
    Object.values(steps).flatMap((each) => each.flatMap(({ refuses = [] }) => refuses)),
    async (exchange) => {
      const type = exchange.require(parametersSlot).get('grant_type');
      if (isOneOf(grantTypes, type)) for (const step of steps[type]) await step(exchange);
    },
  );
