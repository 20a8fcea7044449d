import { describe, expect, test } from '@jest/globals';
import { given } from '@lyceum/testkit';
import { checkOperations } from '@lyceum/web';
import { schoolMoving } from '../moving/school-moving.ts';
import type { DomainHolderEvent } from '../domain-holders/domain-holder.events.ts';
import { domainHolderDecider } from '../domain-holders/domain-holder.ts';
import type { DomainEvent } from './domain.events.ts';
import { domainFact } from './domain.facts.ts';
import { domainOperations } from './domain.http.ts';
import { domainsDecider, domainsStream, most } from './domain.ts';

const domain = 'learn.my-school.com';
const added = (proof = 'p1', name = domain): DomainEvent => ({ type: 'DomainAdded', data: { domain: name, proof } });
const verified = (proof = 'p1'): DomainEvent => ({ type: 'DomainVerified', data: { domain, proof } });
const removed = (wasVerified: boolean, proof = 'p1'): DomainEvent => ({
  type: 'DomainRemoved',
  data: { domain, proof, verified: wasVerified },
});

describe('the domains of a school', () => {
  test('a domain is added once, with its first proof', () => {
    given(domainsDecider).when({ type: 'AddDomain', domain, proof: 'p1' }).then(added());
    given(domainsDecider, added()).when({ type: 'AddDomain', domain, proof: 'p2' }).unchanged();
    given(domainsDecider, added(), verified()).when({ type: 'AddDomain', domain, proof: 'p2' }).unchanged();
  });

  test('a school has a limited number of them', () => {
    const many = Array.from({ length: most }, (_, number) => added('p', `d${number}.my-school.com`));
    given(domainsDecider, ...many)
      .when({ type: 'AddDomain', domain, proof: 'p1' })
      .rejected('invalid_state');
    given(domainsDecider, ...many)
      .when({ type: 'AddDomain', domain: 'd0.my-school.com', proof: 'p1' })
      .unchanged();
  });

  test('a domain is verified once, and by its own proof only', () => {
    given(domainsDecider, added()).when({ type: 'VerifyDomain', domain, proof: 'p1' }).then(verified());
    given(domainsDecider, added(), verified()).when({ type: 'VerifyDomain', domain, proof: 'p1' }).unchanged();
    given(domainsDecider, added()).when({ type: 'VerifyDomain', domain, proof: 'p0' }).rejected('not_found');
    given(domainsDecider).when({ type: 'VerifyDomain', domain, proof: 'p1' }).rejected('not_found');
  });

  test('a domain that was removed needs a new proof', () => {
    given(domainsDecider, added(), verified()).when({ type: 'RemoveDomain', domain }).then(removed(true));
    given(domainsDecider, added()).when({ type: 'RemoveDomain', domain }).then(removed(false));
    given(domainsDecider, added(), removed(false)).when({ type: 'RemoveDomain', domain }).rejected('not_found');
    given(domainsDecider, added(), removed(false), added('p2'))
      .when({ type: 'VerifyDomain', domain, proof: 'p1' })
      .rejected('not_found');
  });

  describe('a proof that is missed', () => {
    const proven = [added(), verified()] as const;
    const miss: DomainEvent = { type: 'DomainProofMissed', data: { domain, proof: 'p1' } };
    const lapse: DomainEvent = { type: 'DomainLapsed', data: { domain, proof: 'p1', next: 'p2' } };
    /** So many hours after the events of these tests. */
    const look = (hours: number, proof = 'p1') => {
      const at = new Date(Date.parse('2026-01-05T08:00:00.000Z') + hours * 3_600_000).toISOString();
      return { type: 'MissProof', domain, proof, at, next: 'p2' } as const;
    };

    test('counts when the domain is proven by it, and not twice in half a day', () => {
      given(domainsDecider, ...proven)
        .when(look(0))
        .then(miss);
      given(domainsDecider, ...proven, miss)
        .when(look(11))
        .unchanged();
      given(domainsDecider, ...proven, miss)
        .when(look(12))
        .then(miss);
      given(domainsDecider, ...proven)
        .when(look(24, 'p0'))
        .unchanged();
      given(domainsDecider, added()).when(look(24)).unchanged();
      given(domainsDecider).when(look(24)).unchanged();
    });

    test('ends the domain at the third time, three days after the first at the earliest', () => {
      given(domainsDecider, ...proven, miss, miss)
        .when(look(71))
        .then(miss);
      given(domainsDecider, ...proven, miss)
        .when(look(100))
        .then(miss);
      given(domainsDecider, ...proven, miss, miss)
        .when(look(72))
        .then(miss, lapse);
    });

    test('ends it as well when name servers have been silent for sixty days', () => {
      const day = 24 * 3_600_000;
      const silence = (days: number, proof = 'p1') => {
        const [since, at] = [0, days * day].map((ms) => new Date(Date.UTC(2026, 0, 5) + ms).toISOString());
        return { type: 'NoteSilence', domain, proof, since: since!, at: at!, next: 'p2' } as const;
      };
      given(domainsDecider, ...proven)
        .when(silence(59))
        .unchanged();
      given(domainsDecider, ...proven)
        .when(silence(60))
        .then(miss, lapse);
      given(domainsDecider, ...proven)
        .when(silence(60, 'p0'))
        .unchanged();
      given(domainsDecider, added()).when(silence(60)).unchanged();
      given(domainsDecider).when(silence(60)).unchanged();
    });

    test('is forgotten once it is found', () => {
      const found: DomainEvent = { type: 'DomainProofFound', data: { domain, proof: 'p1' } };
      const find = { type: 'FindProof', domain, proof: 'p1' } as const;
      given(domainsDecider, ...proven, miss)
        .when(find)
        .then(found);
      given(domainsDecider, ...proven)
        .when(find)
        .unchanged();
      given(domainsDecider, ...proven, miss, miss, found)
        .when(look(100))
        .then(miss);
      given(domainsDecider, ...proven)
        .when({ ...find, proof: 'p0' })
        .rejected('not_found');
    });

    test('proves nothing after the domain has lapsed: another one does', () => {
      const lapsed = given(domainsDecider, ...proven, miss, miss, lapse);
      lapsed.when({ type: 'VerifyDomain', domain, proof: 'p1' }).rejected('not_found');
      lapsed.when({ type: 'VerifyDomain', domain, proof: 'p2' }).then(verified('p2'));
      lapsed.when({ type: 'AddDomain', domain, proof: 'p3' }).unchanged();
      lapsed.when({ type: 'RemoveDomain', domain }).then(removed(false, 'p2'));
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
    given(domainHolderDecider)
      .when({ type: 'TakeDomain', ...first })
      .then(taken(first));
    given(domainHolderDecider, taken(first))
      .when({ type: 'TakeDomain', ...first })
      .unchanged();
    given(domainHolderDecider, taken(first))
      .when({ type: 'TakeDomain', ...second })
      .rejected('domain_taken');
    given(domainHolderDecider, taken(first), released(first))
      .when({ type: 'TakeDomain', ...second })
      .then(taken(second));
  });

  test('is not lost by a release that comes after the school has proven it again', () => {
    const again = { ...first, proof: 'p3' };
    given(domainHolderDecider, taken(first))
      .when({ type: 'TakeDomain', ...again })
      .then(taken(again));
    given(domainHolderDecider, taken(first), taken(again))
      .when({ type: 'ReleaseDomain', ...first })
      .unchanged();
    given(domainHolderDecider, taken(first), taken(again))
      .when({ type: 'ReleaseDomain', ...again })
      .then(released(again));
    given(domainHolderDecider)
      .when({ type: 'ReleaseDomain', ...first })
      .unchanged();
  });

  test('shares its name with the hosts of schools', () => {
    const claim = { kind: 'school-host', value: domain };
    expect(domainHolderDecider.claims?.(taken(first))).toEqual([{ ...claim, rejected: 'domain_taken' }]);
    expect(domainHolderDecider.releases?.(released(first), first)).toEqual([claim]);
    expect(domainHolderDecider.releases?.(taken(first), undefined)).toEqual([]);
  });
});
