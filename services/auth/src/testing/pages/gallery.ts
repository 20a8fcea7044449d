import { type Look, scopeNames } from '@lyceum/contracts';
import { clientsPage } from '../../pages/clients-page.ts';
import { confirmPage } from '../../pages/confirm-page.ts';
import { consentPage } from '../../pages/consent-page.ts';
import { errorPage } from '../../pages/error-page.ts';
import type { AccountPage, PageSchool } from '../../pages/models/page-models.ts';
import { newPasswordPage } from '../../pages/new-password-page.ts';
import { noticePage } from '../../pages/notice-page.ts';
import { resetPage } from '../../pages/reset-page.ts';
import { sessionsPage } from '../../pages/sessions-page.ts';
import { signInPage } from '../../pages/sign-in-page.ts';
import { signUpPage } from '../../pages/sign-up-page.ts';
import { signedOutPage } from '../../pages/signed-out-page.ts';
import type { Texts } from '../../pages/texts/texts.ts';
import { consentModel, consentScope, errorModel, form, signInModel } from './models.ts';

/** A page as a reader of a language gets it from a school. */
type Shown = (texts: Texts, school: PageSchool) => string;

const endless = 'Supercalifragilistic'.repeat(12);

const own = (school: PageSchool): AccountPage => ({
  school,
  form,
  account: { name: 'Lena Okafor', email: 'lecturer@lantern.test', emailVerified: false },
  timezone: 'Europe/Lisbon',
  paths: {
    apps: '/oauth/account/apps',
    sessions: '/oauth/account/sessions',
    everywhere: '/oauth/account/everywhere',
    password: '/oauth/account/password',
    email: '/oauth/account/email',
  },
  done: true,
});

const times = { since: '2026-01-05T08:00:00.000Z', used: '2026-03-29T21:42:00.000Z' };
const somewhere = { ...times, current: false, browser: 'Firefox', system: 'Linux', address: '192.0.2.7' };

const clients = [
  {
    id: 'client_1',
    name: 'Claude Code',
    hosts: ['127.0.0.1:41873', 'localhost'],
    scopes: scopeNames.slice(0, 6),
    ...times,
  },
  { id: 'client_2', name: undefined, hosts: [], scopes: scopeNames, ...times },
  { id: 'client_3', name: endless, hosts: [`${endless}.example:65535`], scopes: scopeNames.slice(0, 1), ...times },
];

const sessions = [
  { ...somewhere, sid: 'session_1', current: true },
  {
    ...somewhere,
    sid: 'session_2',
    browser: 'Samsung Internet',
    system: 'Android',
    address: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
  },
  { ...somewhere, sid: 'session_3', browser: null, system: null, address: null },
];

const problem = 'They do not match.';

/** Every page, in every state that looks different, by the address that tests give it. */
export const gallery: Readonly<Record<string, Shown>> = {
  '/sign-in': (texts, school) => signInPage({ ...signInModel, school, signUp: '/oauth/sign-up' }, texts),
  '/sign-in-again': (texts, school) => signInPage({ ...signInModel, school, email: 'a@lantern.test', problem }, texts),
  '/sign-up': (texts, school) => signUpPage({ school, form }, texts),
  '/sign-up-invited': (texts, school) =>
    signUpPage({ school, form, invited: 'student@lantern.test', name: 'Tom Reed', problem }, texts),
  '/consent': (texts, school) => consentPage({ ...consentModel, school }, texts),
  '/consent-again': (texts, school) => consentPage({ ...consentModel, school, problem }, texts),
  '/consent-to-everything': (texts) =>
    consentPage(
      {
        ...consentModel,
        school: { name: endless },
        client: { name: endless, redirectHost: `${endless}.example:65535` },
        account: { name: endless, email: `${endless}@lantern.test` },
        scopes: scopeNames.map(consentScope),
      },
      texts,
    ),
  '/error': (texts, school) => errorPage({ ...errorModel, school }, texts),
  '/reset': (texts, school) => resetPage({ school, form, problem }, texts),
  '/new-password': (texts, school) =>
    newPasswordPage({ school, form, email: 'student@lantern.test', asksCurrent: true, problem }, texts),
  '/notice': (texts, school) =>
    noticePage(
      {
        school,
        title: texts.resetTitle,
        message: texts.everywhereDoneHint,
        onward: { href: '/', label: texts.signIn },
      },
      texts,
    ),
  '/confirm': (texts, school) =>
    confirmPage(
      {
        school,
        form,
        title: texts.everywhereTitle,
        message: texts.everywhereHint,
        yes: texts.everywhere,
        no: texts.deny,
      },
      texts,
    ),
  '/apps': (texts, school) => clientsPage({ ...own(school), clients }, texts),
  '/no-apps': (texts, school) => clientsPage({ ...own(school), done: false, clients: [] }, texts),
  '/sessions': (texts, school) => sessionsPage({ ...own(school), sessions }, texts),
  '/signed-out': (texts, school) => signedOutPage({ school, again: '/oauth/account/sessions' }, texts),
};

/** The school of the gallery in a look. */
export const schoolIn = (look: Look | undefined): PageSchool => ({
  name: 'Lantern Craft School',
  ...(look ? { look } : {}),
});
