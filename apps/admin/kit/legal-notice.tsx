/** What this software is not: the sentence that Italian law asks for beside ticket sales. */
import { noSeal } from '#server/domain/site/fiscal-words.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';

export function LegalNotice() {
  return <Notice icon="info">{noSeal}</Notice>;
}
