import type { UiLanguage } from '@lyceum/contracts';

/** What the page of a certificate says, in one language. Text in braces is filled in. */
export interface CertificateTexts {
  readonly title: string;
  /** Before the name, and between it and the title of the course. */
  readonly certifies: string;
  readonly completed: string;
  readonly on: string;
  readonly code: string;
  readonly verify: string;
  /** `{school}` is the name of the school. */
  readonly genuine: string;
  readonly revoked: string;
  readonly print: string;
}

/** The languages of the page: those of the pages for signing in. */
export const certificateLanguages: Readonly<Record<UiLanguage, CertificateTexts>> = {
  en: {
    title: 'Certificate of completion',
    certifies: 'This certifies that',
    completed: 'has completed the course',
    on: 'Date',
    code: 'Code',
    verify: 'Verify at',
    genuine: 'This certificate is genuine: {school} issued it, and it is valid.',
    revoked: '{school} has revoked this certificate. It is not valid any more.',
    print: 'Print this page, or save it as a PDF, to keep it.',
  },
  de: {
    title: 'Abschlusszertifikat',
    certifies: 'Hiermit wird bescheinigt, dass',
    completed: 'den folgenden Kurs abgeschlossen hat',
    on: 'Datum',
    code: 'Code',
    verify: 'Zu prüfen unter',
    genuine: 'Dieses Zertifikat ist echt: {school} hat es ausgestellt, und es ist gültig.',
    revoked: '{school} hat dieses Zertifikat widerrufen. Es ist nicht mehr gültig.',
    print: 'Drucken Sie diese Seite oder speichern Sie sie als PDF, um sie aufzubewahren.',
  },
  pt: {
    title: 'Certificado de conclusão',
    certifies: 'Certifica-se que',
    completed: 'concluiu o curso',
    on: 'Data',
    code: 'Código',
    verify: 'Verificar em',
    genuine: 'Este certificado é autêntico: foi emitido por {school} e é válido.',
    revoked: '{school} revogou este certificado. Já não é válido.',
    print: 'Imprima esta página, ou guarde-a em PDF, para a conservar.',
  },
  ko: {
    title: '수료증',
    certifies: '다음 사람이',
    completed: '아래 강좌를 수료하였음을 증명합니다',
    on: '날짜',
    code: '코드',
    verify: '확인 주소',
    genuine: '진본 확인: {school}에서 발급한 유효한 수료증입니다.',
    revoked: '{school}에서 이 수료증을 취소했습니다. 더 이상 유효하지 않습니다.',
    print: '보관하려면 이 페이지를 인쇄하거나 PDF로 저장하세요.',
  },
};
