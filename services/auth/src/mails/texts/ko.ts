import type { MailTexts } from './mail-text.ts';

/** The mails. */
export const korean: MailTexts = {
  lang: 'ko',
  reset: {
    subject: '{school} 새 비밀번호 설정',
    lead: '{school} 계정의 새 비밀번호를 설정해 달라는 요청을 받았습니다.',
    action: '새 비밀번호 설정',
    foot: '링크는 30분 안에 한 번만 사용할 수 있습니다. 본인이 요청하지 않았다면 아무것도 하지 마세요. 비밀번호는 그대로 유지됩니다.',
  },
  verify: {
    subject: '{school} 이메일 주소 확인',
    lead: '이 주소가 {school}에서 사용하는 이메일 주소가 맞는지 확인해 주세요.',
    action: '주소 확인',
    foot: '링크는 24시간 동안 유효합니다. 그곳에 계정이 없다면 이 메일을 무시하세요.',
  },
  passwordChanged: {
    subject: '{school} 비밀번호가 변경되었습니다',
    lead: '{school} 계정의 비밀번호가 변경되었습니다. 이전 로그인은 모두 종료되었고 모든 앱의 연결이 해제되었습니다.',
    action: '다른 비밀번호 설정',
    foot: '본인이 변경했다면 할 일이 없습니다. 아니라면 바로 다른 비밀번호를 설정하고 학교에 알려 주세요.',
  },
  emailChangePresent: {
    subject: '{school} 이메일 주소 변경 요청',
    lead: '{school} 계정의 주소를 {email}(으)로 바꾸려고 합니다. 여기에서 확인하고, 다른 주소로 보낸 메일에서도 확인해 주세요.',
    action: '변경 확인',
    foot: '링크는 24시간 동안 유효합니다. 본인이 아니라면 링크를 열지 말고 비밀번호를 변경하세요.',
  },
  emailChangeNext: {
    subject: '{school} 새 이메일 주소 확인',
    lead: '{school}의 계정이 지금 읽고 계신 주소 {email}을(를) 사용하려고 합니다. 여기에서 확인하고, 현재 주소로 보낸 메일에서도 확인해 주세요.',
    action: '주소 확인',
    foot: '링크는 24시간 동안 유효합니다. 모르는 일이라면 이 메일을 무시하세요.',
  },
  export: {
    subject: '{school}의 내 데이터',
    lead: '{school}에서 보관하는 본인에 관한 모든 정보를 요청하셨습니다. zip 파일로 내려받을 수 있습니다.',
    action: '내 데이터 내려받기',
    foot: '링크는 7일 동안 유효합니다. 링크를 가진 사람은 누구나 데이터를 읽을 수 있으니 다른 사람에게 알리지 마세요. 요청하지 않았다면 비밀번호를 바꾸고 학교에 알려 주세요.',
  },
};
