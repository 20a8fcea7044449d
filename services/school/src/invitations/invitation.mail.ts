import type { Role } from '@lyceum/contracts';

/** An invitation in one language. `{school}`, `{role}` and `{link}` are filled in. */
interface Invitation {
  readonly subject: string;
  readonly text: string;
  readonly roles: Readonly<Record<Role, string>>;
}

const english: Invitation = {
  subject: 'Your invitation to {school}',
  text: 'Hello,\n\n{school} invites you as {role}. Choose a password and your account is ready:\n\n{link}\n\nThe link is good for 7 days, for you alone. If you did not expect this mail, ignore it.\n',
  roles: { owner: 'an owner', admin: 'an admin', lecturer: 'a lecturer', member: 'a member' },
};

const german: Invitation = {
  subject: 'Ihre Einladung zu {school}',
  text: 'Guten Tag,\n\n{school} lädt Sie ein, und zwar {role}. Wählen Sie ein Passwort, und Ihr Konto ist bereit:\n\n{link}\n\nDer Link gilt 7 Tage und nur für Sie. Wenn Sie diese Mail nicht erwartet haben, ignorieren Sie sie.\n',
  roles: { owner: 'zur Inhaberschaft', admin: 'in die Verwaltung', lecturer: 'als Lehrkraft', member: 'als Mitglied' },
};

const portuguese: Invitation = {
  subject: 'Seu convite para {school}',
  text: 'Olá,\n\n{school} convida você como {role}. Escolha uma senha e a sua conta fica pronta:\n\n{link}\n\nO link vale por 7 dias e só para você. Se não esperava este e-mail, ignore-o.\n',
  roles: { owner: 'proprietário/a', admin: 'administrador/a', lecturer: 'docente', member: 'membro' },
};

const korean: Invitation = {
  subject: '{school} 초대장',
  text: '안녕하세요.\n\n{school}에서 {role}(으)로 초대합니다. 비밀번호를 정하면 계정이 준비됩니다:\n\n{link}\n\n이 링크는 7일 동안 본인만 사용할 수 있습니다. 예상하지 못한 메일이라면 무시하셔도 됩니다.\n',
  roles: { owner: '소유자', admin: '관리자', lecturer: '강사', member: '회원' },
};

const languages: Readonly<Record<string, Invitation>> = { en: english, de: german, pt: portuguese, ko: korean };

/** What an invitation is about. `locale`: BCP 47. */
interface Inviting {
  readonly school: string;
  readonly locale: string;
  readonly role: Role;
  readonly link: string;
}

/** The mail that invites a person, in the language of the school where there is one, else in English. */
export function invitationMail({ school, locale, role, link }: Inviting): { subject: string; text: string } {
  const { subject, text, roles } = languages[locale.split('-')[0]!.toLowerCase()] ?? english;
  const values: Readonly<Record<string, string>> = { school, role: roles[role], link };
  const filled = (template: string) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  // A name may hold anything; a subject is one line.
  return { subject: filled(subject).replaceAll(/\s+/g, ' '), text: filled(text) };
}
