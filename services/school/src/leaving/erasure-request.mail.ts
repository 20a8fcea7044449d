/** A mail in one language. `{school}` and `{date}` are filled in. */
interface Text {
  readonly subject: string;
  readonly text: string;
}

/** The mails about an erasure: that it was asked for, and that it is done. */
interface Texts {
  readonly requested: Text;
  readonly done: Text;
}

const english: Texts = {
  requested: {
    subject: 'Your account at {school} will be erased',
    text: 'Hello,\n\nsomebody, probably you, asked that your account at {school} and everything personal about you be erased. This happens on {date} (UTC) and cannot be undone.\n\nUntil then you can cancel it: sign in with the application that you asked by. If it was not you, cancel it, change your password and tell the school.\n',
  },
  done: {
    subject: 'Your account at {school} is erased',
    text: 'Hello,\n\nas you asked, your account at {school} and everything personal about you is erased. This is the last mail to this address.\n',
  },
};

const german: Texts = {
  requested: {
    subject: 'Ihr Konto bei {school} wird gelöscht',
    text: 'Guten Tag,\n\njemand, wahrscheinlich Sie selbst, hat darum gebeten, Ihr Konto bei {school} und alles Persönliche über Sie zu löschen. Das geschieht am {date} (UTC) und lässt sich nicht rückgängig machen.\n\nBis dahin können Sie es abbrechen: Melden Sie sich in der Anwendung an, in der Sie darum gebeten haben. Wenn Sie es nicht waren, brechen Sie ab, ändern Sie Ihr Passwort und sagen Sie es der Schule.\n',
  },
  done: {
    subject: 'Ihr Konto bei {school} ist gelöscht',
    text: 'Guten Tag,\n\nwie gewünscht sind Ihr Konto bei {school} und alles Persönliche über Sie gelöscht. Dies ist die letzte Mail an diese Adresse.\n',
  },
};

const portuguese: Texts = {
  requested: {
    subject: 'Sua conta em {school} será apagada',
    text: 'Olá,\n\nalguém, provavelmente você, pediu que a sua conta em {school} e tudo o que é pessoal sobre você sejam apagados. Isso acontece em {date} (UTC) e não pode ser desfeito.\n\nAté lá você pode cancelar: entre no aplicativo em que fez o pedido. Se não foi você, cancele, mude a sua senha e avise a escola.\n',
  },
  done: {
    subject: 'Sua conta em {school} foi apagada',
    text: 'Olá,\n\ncomo você pediu, a sua conta em {school} e tudo o que é pessoal sobre você foram apagados. Este é o último e-mail para este endereço.\n',
  },
};

const korean: Texts = {
  requested: {
    subject: '{school} 계정이 삭제될 예정입니다',
    text: '안녕하세요.\n\n{school} 계정과 모든 개인 정보를 삭제해 달라는 요청이 있었습니다(본인이 요청하신 것으로 보입니다). {date}(UTC)에 삭제되며 되돌릴 수 없습니다.\n\n그 전까지는 요청한 앱에 로그인하여 취소할 수 있습니다. 본인이 요청하지 않았다면 취소하고 비밀번호를 바꾼 뒤 학교에 알려 주세요.\n',
  },
  done: {
    subject: '{school} 계정이 삭제되었습니다',
    text: '안녕하세요.\n\n요청하신 대로 {school} 계정과 모든 개인 정보가 삭제되었습니다. 이 주소로 보내는 마지막 메일입니다.\n',
  },
};

const languages: Readonly<Record<string, Texts>> = { en: english, de: german, pt: portuguese, ko: korean };

/** What such a mail is about. `locale`: BCP 47; `date`: RFC 3339, without one the erasure is done. */
interface Erasing {
  readonly school: string;
  readonly locale: string;
  readonly date?: string;
}

/** The mail to a person who is to be erased, or is, in the language of the school where there is one, else in English. */
export function erasureMail({ school, locale, date }: Erasing): { subject: string; text: string } {
  const texts = languages[locale.split('-')[0]!.toLowerCase()] ?? english;
  const { subject, text } = date === undefined ? texts.done : texts.requested;
  const values: Readonly<Record<string, string>> = { school, date: (date ?? '').slice(0, 16).replace('T', ' ') };
  const filled = (template: string) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  // A name may hold anything; a subject is one line.
  return { subject: filled(subject).replaceAll(/\s+/g, ' '), text: filled(text) };
}
