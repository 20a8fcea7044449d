import type { Step } from '../endpoint/exchange.ts';
import { published } from './key-ring.ts';

/** The public keys of the school, as JSON. Others may keep them for five minutes. @see RFC 7517 §5 */
export const answerJwks: Step = async (exchange) => {
  const ring = await exchange.ports.keys.ring(exchange.school.id);
  exchange.reply = {
    status: 200,
    headers: { 'Cache-Control': 'public, max-age=300', 'Content-Type': 'application/jwk-set+json' },
    body: { keys: published(ring).map(({ publicJwk }) => publicJwk) },
  };
};
