import type { Exchange, Step } from './exchange.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Goes on with the steps of the request's method, up to the one that answers. HEAD is answered as GET. */
export const byMethod =
  (steps: Partial<Record<Method, readonly Step[]>>): Step =>
  async (exchange: Exchange) => {
    const method = exchange.request.method === 'HEAD' ? 'GET' : exchange.request.method;
    for (const step of steps[method as Method] ?? []) {
      await step(exchange);
      if (exchange.reply) return;
    }
  };
