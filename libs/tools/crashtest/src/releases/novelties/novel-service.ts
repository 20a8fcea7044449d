import * as service from '@lyceum/service';
import { type SignHung, novelSign, readsAll } from './novel-sign.ts';

export * from '@lyceum/service';

type Service = Parameters<typeof service.domainModule>[0];
type Slice = Service['slices'][number];

const events = { [novelSign.type]: { version: 1, data: { parse: (data: unknown) => data as SignHung } } };

/** A slice of one event, which becomes a fact that every release understands: the school answers at the sign's host. */
const signs: Slice = {
  name: 'signs',
  operations: [],
  events,
  aggregates: [service.aggregate(novelSign.isStream, { events, initial: undefined, evolve: () => undefined })],
  toFact({ type, data }) {
    if (type !== novelSign.type) return undefined;
    const { host, illegible } = data as SignHung;
    if (illegible && process.env[readsAll] !== '1') throw new TypeError('nobody can read this sign yet');
    return { type: 'DomainVerified', data: { domain: host } };
  },
};

/** A service as in the present release, and with one slice more. */
export const domainModule: typeof service.domainModule = (given) =>
  service.domainModule({ ...given, slices: [...given.slices, signs] });
