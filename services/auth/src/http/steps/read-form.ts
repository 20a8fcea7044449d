import { Problem } from '@lyceum/web';
import { type Step, refusing } from '../exchange/exchange.ts';
import { parametersSlot } from '../exchange/parameters.ts';
import { readForm } from '../requests/body.ts';

/**
 * Reads the parameters of an endpoint that takes a form body. Parameters in the query string are ignored.
 * @see RFC 6749 §3.2
 */
export const readFormParameters: Step = refusing(['invalid_request'], async (exchange) => {
  exchange.set(parametersSlot, await readForm(exchange.request));
});

/** Parameters occur once, except `resource`. @see RFC 6749 §3.2, RFC 8707 §2 */
export const refuseRepeatedParameters: Step = (exchange) => {
  const name = exchange.require(parametersSlot).repeated(['resource']);
  if (name !== undefined) throw new Problem('invalid_request', `The parameter ${name} occurs more than once`);
};
