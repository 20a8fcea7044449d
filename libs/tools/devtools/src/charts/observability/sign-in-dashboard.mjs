// Signing in and tokens: what the authorization server gives and refuses, its keys, and the mails that people wait for.
import { chosen, dashboard, lines, number, query, rate } from './dashboard.mjs';

const requests = 'http_server_request_duration_seconds';
const auth = (...more) => chosen('service="auth"', ...more);
const tokens = 'lyceum_token_requests_total';

export const signIn = dashboard({
  uid: 'lyceum-sign-in',
  title: 'Lyceum / Sign-in and tokens',
  description: 'The authorization server, signing keys, limits and mails',
  rows: [
    [
      number('Tokens given', 'reqps', [query(`sum(${rate(`${tokens}${chosen('error=""')}`)})`)]),
      number('Keys that sign', 'none', [query(`sum(lyceum_signing_keys${chosen('status="current"')})`)]),
      number('Keys that will sign', 'none', [query(`sum(lyceum_signing_keys${chosen('status="next"')})`)]),
      number('Oldest key that signs', 's', [query(`max(lyceum_signing_key_age_seconds${chosen()})`)]),
      number('Mails that wait or were tried again, in an hour', 'none', [
        query(`sum(increase(lyceum_mails_total${chosen('outcome="unavailable"')}[1h]))`),
      ]),
      number('Mails refused in an hour', 'none', [
        query(`sum(increase(lyceum_mails_total${chosen('outcome="refused"')}[1h]))`),
      ]),
    ],
    [
      lines('Tokens given, by grant', 'reqps', [
        query(`sum by (grant_type) (${rate(`${tokens}${chosen('error=""')}`)})`, '{{grant_type}}'),
      ]),
      lines('Tokens refused, by error', 'reqps', [
        query(`sum by (error) (${rate(`${tokens}${chosen('error!=""')}`)})`, '{{error}}'),
      ]),
      lines('Refreshes that were answered once more', 'reqps', [
        query(`sum(${rate(`lyceum_refresh_retries_total${chosen()}`)})`, 'answered once more'),
      ]),
    ],
    [
      lines('Requests by route', 'reqps', [
        query(`sum by (http_route) (${rate(`${requests}_count${auth()}`)})`, '{{http_route}}'),
      ]),
      lines('Answers by status', 'reqps', [
        query(
          `sum by (http_response_status_code) (${rate(`${requests}_count${auth()}`)})`,
          '{{http_response_status_code}}',
        ),
      ]),
      lines('Duration by route, 99 of 100 are faster', 's', [
        query(
          `histogram_quantile(0.99, sum by (http_route, le) (${rate(`${requests}_bucket${auth()}`)}))`,
          '{{http_route}}',
        ),
      ]),
    ],
    [
      lines('Requests that limits refuse', 'reqps', [
        query(`sum by (policy) (${rate(`lyceum_rate_limits_total${chosen('outcome="refused"')}`)})`, '{{policy}}'),
      ]),
      lines('Requests that could not be counted', 'reqps', [
        query(`sum by (policy) (${rate(`lyceum_rate_limits_total${chosen('outcome="unknown"')}`)})`, '{{policy}}'),
      ]),
      lines('Mails by what became of them', 'ops', [
        query(`sum by (outcome) (${rate(`lyceum_mails_total${chosen()}`)})`, '{{outcome}}'),
      ]),
    ],
  ],
});
