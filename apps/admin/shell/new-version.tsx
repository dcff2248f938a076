/** The band that says that this tab is older than the server. */
import { useState } from 'react';
import { version } from '#package.json';
import { isOlder } from '#server/domain/office/version.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { useHouse } from './house.ts';

/**
 * Only a person reloads, because a form may be half filled in. While an upgrade goes on an older
 * server may answer, too, which changes nothing.
 */
export function NewVersionNotice() {
  const [isOld, setIsOld] = useState(false);
  const { data: house } = useHouse();
  if (!isOld && house !== undefined && isOlder(version, house.version)) setIsOld(true);
  return (
    <div role="status">
      {isOld && (
        <Notice as="div">
          C’è una versione nuova: ricarica la pagina.{' '}
          <Button small label="Ricarica" onClick={() => location.reload()} />
        </Notice>
      )}
    </div>
  );
}
