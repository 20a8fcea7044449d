import type { MailText } from './texts/mail-text.ts';

/** The mails about a sign-up in one language. */
interface SignUpMails {
  readonly lang: string;
  /** To an address without an account. */
  readonly open: MailText;
  /** To one that has an account already. */
  readonly known: MailText;
}

const english: SignUpMails = {
  lang: 'en',
  open: {
    subject: 'Your account at {school}',
    lead: 'Somebody, probably you, asked to open an account at {school} with this address.',
    action: 'Open the account',
    foot: 'The link works for 24 hours. If it was not you, ignore this mail: there will be no account.',
  },
  known: {
    subject: 'You have an account at {school}',
    lead: 'Somebody, probably you, asked to open an account at {school}. There is one with this address already: sign in with it.',
    action: 'Set a new password',
    foot: 'If you know the password, or it was not you who asked, there is nothing to do.',
  },
};

const german: SignUpMails = {
  lang: 'de',
  open: {
    subject: 'Ihr Konto bei {school}',
    lead: 'Jemand, wahrscheinlich Sie, möchte mit dieser Adresse ein Konto bei {school} eröffnen.',
    action: 'Konto eröffnen',
    foot: 'Der Link gilt 24 Stunden. Wenn Sie es nicht waren, ignorieren Sie diese Mail: Es entsteht kein Konto.',
  },
  known: {
    subject: 'Sie haben ein Konto bei {school}',
    lead: 'Jemand, wahrscheinlich Sie, wollte ein Konto bei {school} eröffnen. Mit dieser Adresse gibt es schon eines: Melden Sie sich damit an.',
    action: 'Neues Passwort setzen',
    foot: 'Wenn Sie das Passwort wissen oder nicht gefragt haben, ist nichts zu tun.',
  },
};

const portuguese: SignUpMails = {
  lang: 'pt',
  open: {
    subject: 'Sua conta em {school}',
    lead: 'Alguém, provavelmente você, pediu para abrir uma conta em {school} com este endereço.',
    action: 'Abrir a conta',
    foot: 'O link vale por 24 horas. Se não foi você, ignore este e-mail: nenhuma conta será aberta.',
  },
  known: {
    subject: 'Você tem uma conta em {school}',
    lead: 'Alguém, provavelmente você, pediu para abrir uma conta em {school}. Já existe uma com este endereço: entre com ela.',
    action: 'Definir uma nova senha',
    foot: 'Se você sabe a senha, ou se não foi você que pediu, não há nada a fazer.',
  },
};

const korean: SignUpMails = {
  lang: 'ko',
  open: {
    subject: '{school} 계정',
    lead: '누군가(아마도 본인)가 이 주소로 {school} 계정을 만들려고 합니다.',
    action: '계정 만들기',
    foot: '링크는 24시간 동안 유효합니다. 본인이 아니라면 이 메일을 무시하세요. 계정은 만들어지지 않습니다.',
  },
  known: {
    subject: '{school}에 이미 계정이 있습니다',
    lead: '누군가(아마도 본인)가 {school} 계정을 만들려고 했습니다. 이 주소의 계정이 이미 있으니 그 계정으로 로그인하세요.',
    action: '새 비밀번호 설정',
    foot: '비밀번호를 알고 있거나 본인이 요청하지 않았다면 아무것도 하지 않아도 됩니다.',
  },
};

const languages: Readonly<Record<string, SignUpMails>> = {
  de: german,
  en: english,
  ko: korean,
  pt: portuguese,
};

/** The mails in the language of the page on which they were requested. */
export const signUpMailsFor = (lang: string): SignUpMails => languages[lang] ?? english;
