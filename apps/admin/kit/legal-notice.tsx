/** The sentence, required by Italian law, on what this software is not. */
import { noSeal } from '#server/domain/site/fiscal-words.ts';
import { Notice } from '#apps/admin/kit/page/notice.tsx';

export function LegalNotice() {
  return <Notice icon="info">{noSeal}</Notice>;
}
