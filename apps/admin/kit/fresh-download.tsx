/** A link to a file with personal data; the server may first ask for proof of identity. */
import { useState, type MouseEvent, type ReactNode } from 'react';
import { checkFresh } from '#server/contract/account.ts';
import { useAct } from './session/session.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';
import { FailureNotice } from '#apps/admin/kit/page/notice.tsx';

export function FreshDownload({ href, children }: { href: string; children: ReactNode }) {
  const act = useAct();
  const [failure, setFailure] = useState<string | null>(null);

  async function download(event: MouseEvent) {
    event.preventDefault();
    setFailure(null);
    try {
      await act(checkFresh, {});
      location.assign(href);
    } catch (error) {
      setFailure(tellFailure(error));
    }
  }

  return (
    <>
      <a href={href} download onClick={download}>
        {children}
      </a>
      <FailureNotice text={failure} />
    </>
  );
}
