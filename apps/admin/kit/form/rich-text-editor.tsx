/** The editor of formatted texts; it offers only what the server keeps. */
import { EditorContent, useEditor, useEditorState, type Editor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { readLink } from './rich-text-link.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import richTextStyles from './rich-text.module.css';

const extensions = [
  StarterKit.configure({
    heading: { levels: [3, 4] },
    code: false,
    codeBlock: false,
    strike: false,
    horizontalRule: false,
    link: {
      openOnClick: false,
      autolink: false,
      defaultProtocol: 'https',
      protocols: ['mailto'],
      HTMLAttributes: { target: null, rel: null },
    },
  }),
];

interface RichTextEditorProps {
  start: string;
  onChange: (html: string) => void;
  labelledBy: string;
  describedBy: string;
  invalid: boolean;
}

export function RichTextEditor({
  start,
  onChange,
  labelledBy,
  describedBy,
  invalid,
}: RichTextEditorProps) {
  const [linking, setLinking] = useState(false);
  // Created once, because the editor takes its callbacks only then.
  const editor = useEditor({
    extensions,
    content: start,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    onUpdate: ({ editor }) => onChange(editor.isEmpty ? '' : editor.getHTML()),
    editorProps: { attributes: attributesOf(labelledBy) },
  });
  useEffect(() => {
    const attributes: Record<string, string> = {
      ...attributesOf(labelledBy),
      ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
      ...(invalid ? { 'aria-invalid': 'true' } : {}),
    };
    editor.setOptions({ editorProps: { attributes } });
  }, [editor, labelledBy, describedBy, invalid]);
  return (
    <div>
      <Tools editor={editor} linking={linking} onLink={() => setLinking(!linking)} />
      {linking && <LinkLine editor={editor} onDone={() => setLinking(false)} />}
      <EditorContent editor={editor} />
    </div>
  );
}

function attributesOf(labelledBy: string): Record<string, string> {
  return {
    class: `${richTextStyles.body} ui-input`,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': labelledBy,
  };
}

type Chain = ReturnType<Editor['chain']>;

/** `sign` is drawn on the button. */
const tools: [
  mark: string,
  name: string,
  toggle: (chain: Chain) => Chain,
  sign: string,
  tag?: 'b' | 'i' | 'u' | 'span',
][] = [
  ['bold', 'Grassetto', (chain) => chain.toggleBold(), 'G', 'b'],
  ['italic', 'Corsivo', (chain) => chain.toggleItalic(), 'C', 'i'],
  ['underline', 'Sottolineato', (chain) => chain.toggleUnderline(), 'S', 'u'],
  ['heading', 'Titoletto', (chain) => chain.toggleHeading({ level: 3 }), 'Titoletto'],
  ['bulletList', 'Elenco puntato', (chain) => chain.toggleBulletList(), '• Elenco'],
  ['orderedList', 'Elenco numerato', (chain) => chain.toggleOrderedList(), '1. Elenco'],
  ['blockquote', 'Citazione', (chain) => chain.toggleBlockquote(), '«»'],
];

interface ToolsProps {
  editor: Editor;
  linking: boolean;
  onLink: () => void;
}

function Tools({ editor, linking, onLink }: ToolsProps) {
  const on = useEditorState({
    editor,
    selector: ({ editor }) =>
      [...tools.map(([mark]) => mark), 'link'].filter((mark) => editor.isActive(mark)),
  });
  return (
    // With the role toolbar only one button would be in the tab order.
    <fieldset className={richTextStyles.tools} aria-label="Formato del testo">
      {tools.map(([mark, name, toggle, sign, Tag = 'span']) => (
        <button
          key={mark}
          type="button"
          className={richTextStyles.tool}
          // A press must not take the cursor out of the text.
          onMouseDown={(event) => event.preventDefault()}
          title={name}
          aria-pressed={on.includes(mark)}
          onClick={() => toggle(editor.chain().focus()).run()}
        >
          <Tag aria-hidden="true">{sign}</Tag>
          <span className="visually-hidden">{name}</span>
        </button>
      ))}
      <button
        type="button"
        className={richTextStyles.tool}
        aria-pressed={on.includes('link')}
        aria-expanded={linking}
        onClick={onLink}
      >
        Link
      </button>
    </fieldset>
  );
}

interface LinkLineProps {
  editor: Editor;
  onDone: () => void;
}

/** Edits the link at the cursor or selection; without either it inserts the address as text. */
function useLink({ editor, onDone }: LinkLineProps) {
  const old = editor.getAttributes('link')['href'];
  const [typed, setTyped] = useState(typeof old === 'string' ? old : '');
  const href = readLink(typed);

  function apply() {
    if (href === null) return;
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && old === undefined)
      chain
        .insertContent({
          type: 'text',
          text: typed.trim(),
          marks: [{ type: 'link', attrs: { href } }],
        })
        .run();
    else chain.setLink({ href }).run();
    onDone();
  }

  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetLink().run();
    onDone();
  }

  /** Enter must not submit the form around the editor. */
  function key(event: KeyboardEvent) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') apply();
    else onDone();
  }

  return { isNew: old === undefined, typed, setTyped, href, apply, remove, key };
}

function LinkLine(props: LinkLineProps) {
  const { isNew, typed, setTyped, href, apply, remove, key } = useLink(props);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className={richTextStyles.link}>
      <input
        ref={field}
        className="ui-input"
        type="text"
        inputMode="url"
        aria-label="Indirizzo del link"
        placeholder="https://… o un’e-mail"
        value={typed}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={key}
      />
      <Button small disabled={href === null} onClick={apply} label="Metti il link" />
      {!isNew && <Button small look="quiet" onClick={remove} label="Togli il link" />}
      {typed.trim() !== '' && href === null && (
        <p className="ui-field-error">
          Scrivi un indirizzo, per esempio www.teatro.it, o un’e-mail.
        </p>
      )}
    </div>
  );
}
