import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { checkOperations } from '@lyceum/web';
import { schoolMoving } from '../moving/school-moving.ts';
import type { DomainHolderEvent } from '../domain-holders/domain-holder.events.ts';
import { domainHolder } from '../domain-holders/domain-holder.ts';
import type { DomainEvent } from './domain.events.ts';
import { domainFact } from './domain.facts.ts';
import { domainOperations } from './domain.http.ts';
import { domains, domainsStream, most } from './domain.ts';

const domain = 'learn.my-school.com';
const added = (proof = 'p1', name = domain): DomainEvent => ({ type: 'DomainAdded', data: { domain: name, proof } });
const verified = (proof = 'p1'): DomainEvent => ({ type: 'DomainVerified', data: { domain, proof } });
const removed = (wasVerified: boolean, proof = 'p1'): DomainEvent => ({
  type: 'DomainRemoved',
  data: { domain, proof, verified: wasVerified },
});

describe('the domains of a school', () => {
  test('a domain is added once, with its first proof', () => {
    given(domains).when({ kind: 'add', domain, proof: 'p1' }).then(added());
    given(domains, added()).when({ kind: 'add', domain, proof: 'p2' }).unchanged();
    given(domains, added(), verified()).when({ kind: 'add', domain, proof: 'p2' }).unchanged();
  });

  test('a school has a limited number of them', () => {
    const many = Array.from({ length: most }, (_, number) => added('p', `d${number}.my-school.com`));
    given(domains, ...many)
      .when({ kind: 'add', domain, proof: 'p1' })
      .rejected('invalid_state');
    given(domains, ...many)
      .when({ kind: 'add', domain: 'd0.my-school.com', proof: 'p1' })
      .unchanged();
  });

  test('a domain is verified once, and by its own proof only', () => {
    given(domains, added()).when({ kind: 'verify', domain, proof: 'p1' }).then(verified());
    given(domains, added(), verified()).when({ kind: 'verify', domain, proof: 'p1' }).unchanged();
    given(domains, added()).when({ kind: 'verify', domain, proof: 'p0' }).rejected('not_found');
    given(domains).when({ kind: 'verify', domain, proof: 'p1' }).rejected('not_found');
  });

  test('a domain that was removed needs a new proof', () => {
    given(domains, added(), verified()).when({ kind: 'remove', domain }).then(removed(true));
    given(domains, added()).when({ kind: 'remove', domain }).then(removed(false));
    given(domains, added(), removed(false)).when({ kind: 'remove', domain }).rejected('not_found');
    given(domains, added(), removed(false), added('p2'))
      .when({ kind: 'verify', domain, proof: 'p1' })
      .rejected('not_found');
  });

  describe('a proof that is missed', () => {
    const proven = [added(), verified()] as const;
    const miss: DomainEvent = { type: 'DomainProofMissed', data: { domain, proof: 'p1' } };
    const lapse: DomainEvent = { type: 'DomainLapsed', data: { domain, proof: 'p1', next: 'p2' } };
    /** So many hours after the events of these tests. */
    const look = (hours: number, proof = 'p1') => {
      const at = new Date(Date.parse('2026-01-05T08:00:00.000Z') + hours * 3_600_000).toISOString();
      return { kind: 'miss', domain, proof, at, next: 'p2' } as const;
    };

    test('counts when the domain is proven by it, and not twice in half a day', () => {
      given(domains, ...proven)
        .when(look(0))
        .then(miss);
      given(domains, ...proven, miss)
        .when(look(11))
        .unchanged();
      given(domains, ...proven, miss)
        .when(look(12))
        .then(miss);
      given(domains, ...proven)
        .when(look(24, 'p0'))
        .unchanged();
      given(domains, added()).when(look(24)).unchanged();
      given(domains).when(look(24)).unchanged();
    });

    test('ends the domain at the third time, three days after the first at the earliest', () => {
      given(domains, ...proven, miss, miss)
        .when(look(71))
        .then(miss);
      given(domains, ...proven, miss)
        .when(look(100))
        .then(miss);
      given(domains, ...proven, miss, miss)
        .when(look(72))
        .then(miss, lapse);
    });

    test('ends it as well when name servers have been silent for sixty days', () => {
      const day = 24 * 3_600_000;
      const silence = (days: number, proof = 'p1') => {
        const [since, at] = [0, days * day].map((ms) => new Date(Date.UTC(2026, 0, 5) + ms).toISOString());
        return { kind: 'silence', domain, proof, since: since!, at: at!, next: 'p2' } as const;
      };
      given(domains, ...proven)
        .when(silence(59))
        .unchanged();
      given(domains, ...proven)
        .when(silence(60))
        .then(miss, lapse);
      given(domains, ...proven)
        .when(silence(60, 'p0'))
        .unchanged();
      given(domains, added()).when(silence(60)).unchanged();
      given(domains).when(silence(60)).unchanged();
    });

    test('is forgotten once it is found', () => {
      const found: DomainEvent = { type: 'DomainProofFound', data: { domain, proof: 'p1' } };
      const find = { kind: 'find', domain, proof: 'p1' } as const;
      given(domains, ...proven, miss)
        .when(find)
        .then(found);
      given(domains, ...proven)
        .when(find)
        .unchanged();
      given(domains, ...proven, miss, miss, found)
        .when(look(100))
        .then(miss);
      given(domains, ...proven)
        .when({ ...find, proof: 'p0' })
        .rejected('not_found');
    });

    test('proves nothing after the domain has lapsed: another one does', () => {
      const lapsed = given(domains, ...proven, miss, miss, lapse);
      lapsed.when({ kind: 'verify', domain, proof: 'p1' }).rejected('not_found');
      lapsed.when({ kind: 'verify', domain, proof: 'p2' }).then(verified('p2'));
      lapsed.when({ kind: 'add', domain, proof: 'p3' }).unchanged();
      lapsed.when({ kind: 'remove', domain }).then(removed(false, 'p2'));
      lapsed.when(look(200)).unchanged();
    });
  });

  test('others hear of domains where the school answers, and of no proofs', () => {
    const told = (event: DomainEvent, stream = domainsStream) =>
      domainFact({ ...event, stream, schema: 1 } as unknown as Parameters<typeof domainFact>[0]);
    const lapsed: DomainEvent = { type: 'DomainLapsed', data: { domain, proof: 'p1', next: 'p2' } };
    expect([added(), verified(), removed(false), removed(true), lapsed].map((event) => told(event))).toEqual([
      undefined,
      { type: 'DomainVerified', data: { domain } },
      undefined,
      { type: 'DomainRemoved', data: { domain } },
      { type: 'DomainRemoved', data: { domain } },
    ]);
    expect(told(verified(), 'school_1')).toBeUndefined();
  });
});

test('the domains of a school stay when it moves to another installation: there they are to be proven again', () => {
  const { stays } = schoolMoving({} as Parameters<typeof schoolMoving>[0]);
  const asked = { personal: true, signingKeys: true };
  expect([domainsStream, 'appearance'].map((stream) => stays?.(stream, asked))).toEqual([true, false]);
});

test('the operations on domains are declared well', () => {
  const platform = ['lyceum.app'];
  expect(() => checkOperations(domainOperations({ platform, resolveTxt: async () => [] }))).not.toThrow();
});

describe('a domain on the platform', () => {
  const [first, second] = [
    { domain, school: 'school_1', proof: 'p1' },
    { domain, school: 'school_2', proof: 'p2' },
  ];
  const taken = (data: typeof first): DomainHolderEvent => ({ type: 'DomainTaken', data });
  const released = (data: typeof first): DomainHolderEvent => ({ type: 'DomainReleased', data });

  test('is of one school at a time', () => {
    given(domainHolder)
      .when({ kind: 'take', ...first })
      .then(taken(first));
    given(domainHolder, taken(first))
      .when({ kind: 'take', ...first })
      .unchanged();
    given(domainHolder, taken(first))
      .when({ kind: 'take', ...second })
      .rejected('domain_taken');
    given(domainHolder, taken(first), released(first))
      .when({ kind: 'take', ...second })
      .then(taken(second));
  });

  test('is not lost by a release that comes after the school has proven it again', () => {
    const again = { ...first, proof: 'p3' };
    given(domainHolder, taken(first))
      .when({ kind: 'take', ...again })
      .then(taken(again));
    given(domainHolder, taken(first), taken(again))
      .when({ kind: 'release', ...first })
      .unchanged();
    given(domainHolder, taken(first), taken(again))
      .when({ kind: 'release', ...again })
      .then(released(again));
    given(domainHolder)
      .when({ kind: 'release', ...first })
      .unchanged();
  });

  test('shares its name with the hosts of schools', () => {
    const claim = { kind: 'school-host', value: domain };
    expect(domainHolder.claims?.(taken(first))).toEqual([{ ...claim, rejected: 'domain_taken' }]);
    expect(domainHolder.releases?.(released(first), first)).toEqual([claim]);
    expect(domainHolder.releases?.(taken(first), undefined)).toEqual([]);
  });
});
