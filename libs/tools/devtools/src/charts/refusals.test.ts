import { expect, test } from '@jest/globals';
import { type Values, describeRendered, ownValues, refusal, rendered, sizes, valuesOf } from './rendered.ts';

const small = valuesOf('small');
const auth = ownValues(small, 'auth');
const media = ownValues(small, 'media');
const shared = (change: Values): Values => ({ ...auth, global: { lyceum: { ...auth['global'].lyceum, ...change } } });
const settings = (name: string, value: unknown): Values => ({ ...auth, settings: { [name]: value } });

describeRendered('values that a chart refuses', () => {
  test.each<[what: string, chart: string, values: Values, named: RegExp]>([
    ['an unknown name at the top', 'auth', { ...auth, replicaCount: 3 }, /replicaCount/],
    ['an unknown name further in', 'auth', { ...auth, http: { replcas: 3 } }, /replcas/],
    ['an unknown name of what is shared', 'auth', shared({ instalation: 'one' }), /instalation/],
    ['an unknown name at the top of the umbrella', 'platform', { ...small, comerce: {} }, /comerce/],
    [
      'an unknown name inside of a service of the umbrella',
      'platform',
      { ...small, auth: { rolls: 'together' } },
      /rolls/,
    ],
    ['roles of the gateway', 'gateway', { ...ownValues(small, 'gateway'), roles: 'together' }, /roles/],
    ['no address of the first school', 'auth', shared({ settings: { KAFKA_BROKERS: 'kafka:9092' } }), /BASE_URL/],
    ['a secret among settings', 'auth', settings('SMTP_URL', 'smtps://a:b@mail.example:465'), /SMTP_URL/],
    ['a secret among shared settings', 'auth', shared({ settings: { MONGODB_URL: 'mongodb://a/' } }), /MONGODB_URL/],
    ['a setting that the chart decides', 'auth', settings('PORT', '80'), /PORT/],
    ['a name that no setting has', 'auth', settings('logLevel', 'debug'), /logLevel/],
    ['a fraction that is no text', 'auth', settings('RATE_LIMIT_FACTOR', 0.5), /RATE_LIMIT_FACTOR/],
    ['the tag latest', 'auth', { ...auth, image: { tag: 'latest' } }, /image\/tag|image\.tag/],
    [
      'several processes on one directory',
      'media',
      { ...media, all: { replicas: 2 } },
      /media: all\.replicas must be 1/,
    ],
    ['roles that share a directory', 'media', { ...media, roles: 'separate' }, /media: roles must be together/],
    ['a bucket without a name', 'media', { ...media, files: { in: 'bucket' } }, /files\.bucket must name a bucket/],
    [
      'scaling by the lag of nothing',
      'auth',
      { ...auth, consumer: { autoscaling: { enabled: true } } },
      /autoscaling\.groups/,
    ],
    ['routes without hosts', 'tenancy', { global: small['global'] }, /hosts must name/],
    ['routes of no Gateway', 'tenancy', { global: small['global'], hosts: ['school.example'] }, /parentRefs must name/],
  ])('%s', (_, chart, values, named) => expect(refusal(chart, values)).toMatch(named));

  test.each(sizes)('are not in deploy/values/%s.yaml', (size) =>
    expect(rendered('platform', valuesOf(size)).size).toBeGreaterThan(20),
  );

  test('do not include other values under global, which other charts may have', () =>
    expect(rendered('auth', { ...auth, global: { ...auth['global'], other: { key: 1 } } }).size).toBeGreaterThan(5));
});
