import { type Invitation, oauthPaths, readEmail } from '@lyceum/contracts';
import { isRejection } from '@lyceum/kernel';
import { type OpenAccount, openAccount } from '../domain/accounts/account-registry.ts';
import { passwordProblem } from '../domain/accounts/password-strength.ts';
import { browserSecretSlot } from '../http/cookies/browser-cookie.ts';
import { localFormToken } from '../http/csrf/local-form.ts';
import type { Exchange, Step } from '../http/exchange/exchange.ts';
import { formSlot } from '../http/exchange/parameters.ts';
import { PageProblem } from '../http/replies/page-problem.ts';
import { pageReply } from '../http/replies/page-reply.ts';
import { startSession } from '../http/session/browser-session.ts';
import { accountPaths, signUpPath } from '../local-paths.ts';
import { noticePage } from '../pages/notice-page.ts';
import { type SignUpModel, signUpPage } from '../pages/sign-up-page.ts';
import { linkProblem } from '../recovery/followed-link.ts';
import { mayAnybodySignUp } from '../school-projections/school.ts';
import { rememberDevice } from '../sign-in/device-cookie.ts';
import { parameterOf, invitedPerson } from './invited-person.ts';
import { requestSignUpMail } from './request-sign-up-mail.ts';

const control = /\p{Cc}/u;

/** Asks an invited person for name and password, anybody else for an e-mail address. */
export const showSignUp: Step = async (exchange) => {
  const invited = await invitedPerson(exchange);
  if (!invited || exchange.school.isClosed) refuseWhereInvited(exchange);
  show(exchange, invited, 200, invited?.name === undefined ? {} : { name: invited.name });
};

/**
 * Opens the account of an invited person, once, and signs them in. Anybody else is sent an invitation to the address they
 * name, or a mail that says that they have an account: the answer is the same, after the same time.
 */
export const signUp: Step = async (exchange) => {
  const invited = await invitedPerson(exchange);
  if (invited && !exchange.school.isClosed) return openInvitedAccount(exchange, invited);
  refuseWhereInvited(exchange);
  await requestLink(exchange);
};

async function requestLink(exchange: Exchange): Promise<void> {
  const { texts } = exchange;
  const typed = exchange.require(formSlot).get('email')?.trim() ?? '';
  const email = readEmail(typed);
  if (email === undefined) return show(exchange, undefined, 400, { email: typed, problem: texts.emailMissing });
  const interaction = openInteractionOf(exchange);
  await requestSignUpMail(exchange, email, interaction);
  const again = interaction === undefined ? '' : `?interaction=${encodeURIComponent(interaction)}`;
  const instead = { href: signUpPath + again, label: texts.askAnotherLink };
  exchange.reply = pageReply(exchange, noticePage, { title: texts.mailSentTitle, message: texts.signUpSent, instead });
}

async function openInvitedAccount(exchange: Exchange, invited: Invitation): Promise<void> {
  const { ports, school, texts } = exchange;
  const form = exchange.require(formSlot);
  const [name, password] = [form.get('name')?.trim() ?? '', form.get('password') ?? ''];
  const again = (problem: string) => show(exchange, invited, 400, { name, problem });
  if (name === '' || name.length > 200 || control.test(name)) return again(texts.nameMissing);
  const problem = await passwordProblem(password, { email: invited.email, name, school: school.name });
  if (problem) return again(texts[problem]);
  const passwordHash = await ports.passwords.hash(password, school.id);
  const { member: id, email } = invited;
  const account = { id, email, name, passwordHash, emailVerified: true, actor: id };
  const opened = await openAccount(ports, school.id, account);
  if (isRejection(opened)) throw linkProblem('invitation');
  await welcome(exchange, opened);
}

/** Signs the new person in, and takes up what they came for. */
async function welcome(exchange: Exchange, { id, email }: OpenAccount): Promise<void> {
  const { texts } = exchange;
  await startSession(exchange, id);
  await rememberDevice(exchange, email);
  const interaction = openInteractionOf(exchange);
  if (interaction === undefined) {
    const onward = { href: accountPaths.apps, label: texts.accountNavigation };
    const said = { title: texts.signUpDoneTitle, message: texts.signUpDone, onward };
    exchange.reply = pageReply(exchange, noticePage, said);
  } else {
    const location = `${oauthPaths.authorize}?interaction=${encodeURIComponent(interaction)}`;
    exchange.reply = { status: 303, headers: { Location: location } };
  }
}

/** The authorization request that the person comes from, when it was made in this browser. */
function openInteractionOf(exchange: Exchange): string | undefined {
  const sealed = parameterOf(exchange, 'interaction');
  if (sealed === undefined) return undefined;
  const bound = [exchange.school.id, exchange.require(browserSecretSlot)];
  return exchange.ports.sealer.open('interaction', bound, sealed) === undefined ? undefined : sealed;
}

function refuseWhereInvited({ school }: Exchange): void {
  if (mayAnybodySignUp(school)) return;
  const wayOut = { href: accountPaths.account, label: 'signIn' } as const;
  throw new PageProblem(403, 'access_denied', 'signUpClosedTitle', 'signUpClosed', wayOut);
}

function show(
  exchange: Exchange,
  invited: Invitation | undefined,
  status: number,
  typed: Pick<SignUpModel, 'name' | 'email' | 'problem'>,
): void {
  const kept = (['invitation', 'interaction'] as const).flatMap((name) => {
    const value = parameterOf(exchange, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const form = { action: signUpPath, hidden: { ...Object.fromEntries(kept), csrf: localFormToken(exchange) } };
  const shown = { form, ...typed, ...(invited ? { invited: invited.email } : {}) };
  exchange.reply = pageReply(exchange, signUpPage, shown, { status });
}
