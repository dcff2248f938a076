/** Keys of other programs that read here, and addresses that receive webhooks. */
import { Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { OutLink } from '#apps/admin/kit/out-link.tsx';
import { Addresses } from './addresses.tsx';
import { Tokens } from './tokens.tsx';

export function ProgramsScreen() {
  return (
    <>
      <PageTitle title="Programmi" />
      <Intro>
        Altri programmi, come il sito della compagnia o un foglio di calcolo, possono leggere qui e
        farsi avvisare. Non possono cambiare niente.{' '}
        <OutLink href="/api/v1/">Istruzioni per chi programma</OutLink>
      </Intro>
      <Tokens />
      <Addresses />
    </>
  );
}
