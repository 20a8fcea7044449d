import type { IncomingMessage } from 'node:http';
import type { AskService, Upstream } from '@lyceum/internal-api';
import type { Clock, Ids } from '@lyceum/kernel';
import { Problem } from '@lyceum/web';
import type { Missing } from '../discovery/pages/missing-page.ts';
import { missingPage } from '../discovery/pages/missing-page.ts';
import { pageEndpoint } from '../http/page-endpoint.ts';
import type { School } from '../routing/school.ts';
import type { ClientOf } from '../upstream/school-api.ts';
import { isOrderId } from './asking/order-cookies.ts';
import { ShopUnavailable } from './asking/shop.ts';
import { FormTags, visitorOf } from './asking/visitor.ts';
import { buy, showCheckout } from './buying.ts';
import { type CheckoutAnswer, type CheckoutExchange, exchangeOf, writeAnswer } from './checkout-exchange.ts';
import { changeOrder, showOrder } from './order.ts';

/** What the hosted checkout works with. */
export interface CheckoutOptions {
  readonly school: (id: string) => School | undefined;
  readonly ask: AskService;
  readonly clientOf: ClientOf;
  readonly ids: Pick<Ids, 'secret'>;
  readonly clock: Clock;
  /** The same in every process of the gateway: forms are tagged with it. */
  readonly secret: string;
  readonly logger: {
    info(line: object): void;
    error(line: object, message: string): void;
  };
}

type Answering = (exchange: CheckoutExchange) => Promise<CheckoutAnswer | undefined>;

/** What is at an address below `/checkout`, by method, and what log lines call it. */
interface Place {
  readonly route: string;
  readonly GET: Answering;
  readonly POST: Answering;
}

/**
 * The hosted checkout of every school, behind the edge: `/checkout` sells, `/checkout/{order}` is the page of an order for its
 * buyer. A member is known by the sign-in of the browser, a guest by the cookie with the secret of the order; everybody else
 * finds nothing. Whatever is bought is bought by the operations of the API.
 */
export function openCheckout(options: CheckoutOptions): Pick<Upstream, 'forward'> {
  const { ask, ids, clock, clientOf, logger } = options;
  const ports = { ids, ask, tags: new FormTags(options.secret), now: () => clock.now() };

  function placeAt(path: string): Place | undefined {
    if (path === '/checkout')
      return {
        route: path,
        GET: (exchange) => showCheckout(ports, exchange),
        POST: (exchange) => buy(ports, exchange),
      };
    const id = path.slice('/checkout/'.length);
    if (!isOrderId(id)) return undefined;
    return {
      route: '/checkout/{order}',
      GET: (exchange) => showOrder(ports, exchange, id),
      POST: (exchange) => changeOrder(ports, exchange, id),
    };
  }

  async function answer(
    request: IncomingMessage,
    { place, school, requestId }: { place: Place | undefined; school: School; requestId: string },
  ): Promise<CheckoutAnswer> {
    const missing = (what: Missing['what'], status: number): CheckoutAnswer => {
      const languages = request.headers['accept-language'];
      const page = missingPage({ what, school, languages, requestId });
      return { status, page: { ...page, headers: { ...page.headers, 'Cache-Control': 'no-store' } } };
    };
    if (school.closure) return missing(school.closure, school.closure === 'closed' ? 410 : 503);
    if (!place) return missing('page', 404);
    try {
      const visitor = await visitorOf({ ask, ids }, school, request);
      const exchange = exchangeOf(clientOf, request, { school, requestId, visitor });
      return (await (request.method === 'POST' ? place.POST : place.GET)(exchange)) ?? missing('page', 404);
    } catch (error) {
      if (error instanceof Problem && error.code === 'payload_too_large')
        return { ...missing('page', 413), close: true };
      const line = { err: error, request_id: requestId, route: place.route };
      logger.error(line, error instanceof ShopUnavailable ? 'the checkout waits for a service' : 'the checkout failed');
      return { ...missing('unavailable', 503), wait: 5 };
    }
  }

  return pageEndpoint<CheckoutAnswer>(options, {
    routeOf: (path) => placeAt(path)?.route,
    answer: ({ request, school, requestId, path }) => answer(request, { place: placeAt(path), school, requestId }),
    write: writeAnswer,
  });
}
