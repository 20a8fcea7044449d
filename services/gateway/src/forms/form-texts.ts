import type { UiLanguage } from '@lyceum/contracts';

/** What forms of the school's pages say in a language, beside what the school says itself. */
export interface FormTexts {
  readonly send: string;
  readonly choose: string;
  readonly required: string;
  readonly missing: string;
  readonly wrong: string;
  /** The same of an e-mail address. */
  readonly wrongAddress: string;
  /** For the trap, which people do not see. */
  readonly leaveEmpty: string;
  readonly title: string;
  readonly problems: string;
  readonly changed: string;
  readonly tooOften: string;
  readonly unavailable: string;
  readonly sent: string;
  readonly thanks: string;
  readonly onward: string;
}

/** The languages of forms. */
export const formLanguages: Readonly<Record<UiLanguage, FormTexts>> = {
  en: {
    send: 'Send',
    choose: 'Choose …',
    required: 'required',
    missing: 'This has to be answered.',
    wrong: 'This is no answer to this question.',
    wrongAddress: 'This is no e-mail address. Write one like name@example.org.',
    leaveEmpty: 'Leave this empty',
    title: 'Form',
    problems: 'It was not sent yet: look at what is marked.',
    changed: 'The form has changed meanwhile. Look at it again and send it once more.',
    tooOften: 'You have sent forms often. Wait a minute and send it once more.',
    unavailable: 'It could not be sent at the moment. Send it once more in a few seconds.',
    sent: 'Sent',
    thanks: 'Thank you. What you wrote has arrived.',
    onward: 'Go to {school}',
  },
  de: {
    send: 'Absenden',
    choose: 'Auswählen …',
    required: 'erforderlich',
    missing: 'Das muss beantwortet werden.',
    wrong: 'Das ist keine Antwort auf diese Frage.',
    wrongAddress: 'Das ist keine E-Mail-Adresse. Schreiben Sie eine wie name@example.org.',
    leaveEmpty: 'Lassen Sie das leer',
    title: 'Formular',
    problems: 'Es wurde noch nicht abgeschickt: Sehen Sie nach, was markiert ist.',
    changed: 'Das Formular hat sich inzwischen geändert. Sehen Sie es noch einmal an und schicken Sie es erneut ab.',
    tooOften: 'Sie haben oft Formulare abgeschickt. Warten Sie eine Minute und schicken Sie es erneut ab.',
    unavailable: 'Es konnte im Moment nicht abgeschickt werden. Versuchen Sie es in einigen Sekunden erneut.',
    sent: 'Abgeschickt',
    thanks: 'Vielen Dank. Ihre Nachricht ist angekommen.',
    onward: 'Zu {school}',
  },
  pt: {
    send: 'Enviar',
    choose: 'Escolha …',
    required: 'obrigatório',
    missing: 'É preciso responder.',
    wrong: 'Isto não responde à pergunta.',
    wrongAddress: 'Isto não é um endereço de e-mail. Escreva um como nome@example.org.',
    leaveEmpty: 'Deixe isto vazio',
    title: 'Formulário',
    problems: 'Ainda não foi enviado: veja o que está marcado.',
    changed: 'O formulário mudou entretanto. Veja-o de novo e envie outra vez.',
    tooOften: 'Você enviou muitos formulários. Espere um minuto e envie outra vez.',
    unavailable: 'Não foi possível enviar agora. Envie outra vez em alguns segundos.',
    sent: 'Enviado',
    thanks: 'Obrigado. O que você escreveu chegou.',
    onward: 'Ir para {school}',
  },
  ko: {
    send: '보내기',
    choose: '선택하세요 …',
    required: '필수',
    missing: '답변이 필요합니다.',
    wrong: '이 질문에 맞는 답변이 아닙니다.',
    wrongAddress: '이메일 주소가 아닙니다. name@example.org와 같은 형식으로 입력하세요.',
    leaveEmpty: '비워 두세요',
    title: '양식',
    problems: '아직 보내지 않았습니다. 표시된 항목을 확인하세요.',
    changed: '그 사이 양식이 바뀌었습니다. 다시 확인하고 한 번 더 보내 주세요.',
    tooOften: '양식을 너무 자주 보냈습니다. 1분 후에 다시 보내 주세요.',
    unavailable: '지금은 보낼 수 없습니다. 몇 초 후에 다시 보내 주세요.',
    sent: '보냈습니다',
    thanks: '감사합니다. 내용이 접수되었습니다.',
    onward: '{school} 홈으로 이동',
  },
};
