import type { MailTexts } from './mail-text.ts';

/** The mails in Korean. */
export const korean: MailTexts = {
  lang: 'ko',
  when: '일시',
  where: '장소',
  online: '온라인',
  join: '온라인으로 참여하기',
  cancel: '신청 확인 또는 취소',
  action: '이벤트 보기',
  confirmed: {
    subject: '신청이 확정되었습니다: {event}',
    lead: '{school}의 “{event}”에 자리가 확정되었습니다.',
    foot: '참석하실 수 없게 되면 취소해 주세요. 다른 분이 그 자리를 이용할 수 있습니다.',
  },
  promoted: {
    subject: '자리가 생겼습니다: {event}',
    lead: '{school}의 “{event}”에 빈자리가 생겨 회원님의 자리로 확정되었습니다.',
    foot: '참석하실 수 없게 되면 취소해 주세요. 다른 분이 그 자리를 이용할 수 있습니다.',
  },
  waitlisted: {
    subject: '대기자 명단에 등록되었습니다: {event}',
    lead: '{date}에 열리는 {school}의 “{event}”은(는) 자리가 모두 찼습니다. 대기자 명단에 등록되었으며, 자리가 생기면 바로 알려 드리겠습니다.',
    foot: '더 이상 기다리지 않으시려면 취소해 주세요.',
  },
  soldOut: {
    subject: '남은 자리가 없습니다: {event}',
    lead: '{school}의 “{event}” 마지막 자리를 다른 분이 신청하여 신청되지 않았습니다.',
    foot: '더 하실 일은 없습니다.',
  },
  canceled: {
    subject: '신청이 취소되었습니다: {event}',
    lead: '요청하신 대로 {school}의 “{event}” 신청이 취소되었습니다.',
    foot: '신청 기간 안에는 다시 신청하실 수 있습니다.',
  },
  removed: {
    subject: '신청이 취소되었습니다: {event}',
    lead: '{date}에 열리는 {school}의 “{event}” 신청이 학교에 의해 취소되었습니다.',
    foot: '궁금한 점이 있으면 학교에 문의해 주세요.',
  },
  calledOff: {
    subject: '이벤트가 취소되었습니다: {event}',
    lead: '{school}에서 {date}에 시작할 예정이던 “{event}”을(를) 취소했습니다.',
    foot: '하실 일은 없습니다. 결제하신 금액은 환불됩니다.',
  },
  rescheduled: {
    subject: '일정이 변경되었습니다: {event}',
    lead: '{school}의 “{event}” 일정이 변경되었습니다. 신청은 그대로 유지됩니다.',
    foot: '변경된 일정에 참석하실 수 없으면 취소해 주세요. 다른 분이 그 자리를 이용할 수 있습니다.',
  },
  day: {
    subject: '곧 시작합니다: {event}',
    lead: '{school}의 “{event}”이(가) {date}에 시작합니다.',
    foot: '신청하셨기 때문에 보내 드리는 메일입니다. 계정에서 알림을 받지 않도록 설정할 수 있습니다.',
  },
  hour: {
    subject: '잠시 후 시작합니다: {event}',
    lead: '{school}의 “{event}”이(가) 잠시 후 시작합니다.',
    foot: '신청하셨기 때문에 보내 드리는 메일입니다. 계정에서 알림을 받지 않도록 설정할 수 있습니다.',
  },
};
