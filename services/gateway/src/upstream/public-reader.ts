import type { Ids } from '@lyceum/kernel';
import { type ServiceClient, apiOf } from './school-api.ts';
import type { School } from '../routing/school.ts';
import type { ReadApi } from '../discovery/content/offers.ts';

/** Reads the API of a school as somebody without a token does, through the services' own doors. */
export const publicReader =
  (upstream: (service: string) => ServiceClient, ids: Pick<Ids, 'next'>) =>
  (school: School): ReadApi => {
    const { host } = new URL(school.baseUrl);
    const caller = { school, principal: undefined, token: undefined, authority: host, address: '127.0.0.1', path: '' };
    const api = apiOf(upstream, { ...caller, requestId: ids.next('req') });
    return async (path, query) => {
      const { status, body } = await api(path, { query });
      if (status !== 200) throw new Error(`${path} answers ${status}`);
      return body;
    };
  };
