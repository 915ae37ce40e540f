/** The script of a report's page: filters, copying, opening the row that a link leads to. */

/**
 * Runs once, at the end of the body. Nothing on the page needs it: without a script the filters
 * and buttons stay hidden, rows open by themselves, and the text can be selected.
 */
export const pageScript = `'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);
const toast = (text) => {
  const place = one('.toast');
  place.textContent = text;
  place.classList.add('on');
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => place.classList.remove('on'), 2200);
};
const form = one('.filters');
const rows = all('details.row');
const words = new Map(rows.map((row) => [row.dataset.v, one('.ver b', row).textContent.slice(2)]));
const texts = new Map();
const textOf = (row) => {
  if (!texts.has(row)) {
    const group = row.closest('.b');
    texts.set(row, [row.closest('.d').firstElementChild, group.firstElementChild, one('.cells', row)]
      .map((part) => part.textContent).join(' ').toLowerCase());
  }
  return texts.get(row);
};
const chosen = (name) => {
  const field = form.elements[name];
  return field && field.value !== '*' ? field.value.slice(1) : null;
};
const whyHidden = (row, wish) => {
  if (!wish.verdicts.has(row.dataset.v)) return words.get(row.dataset.v);
  if (wish.dataset !== null && row.dataset.d !== wish.dataset) return 'on other datasets';
  if (wish.label !== null && row.dataset.l !== wish.label) return 'of other candidates';
  if (wish.text !== '' && !textOf(row).includes(wish.text)) return 'without \\u201c' + wish.text + '\\u201d';
  return '';
};
const say = (shown, hidden) => {
  const place = one('.shown');
  const total = document.createElement('b');
  total.textContent = hidden.size ? shown + ' of ' + rows.length + ' comparisons are shown.' : 'All ' + rows.length + ' comparisons are shown.';
  place.replaceChildren(total);
  if (!hidden.size) return;
  const why = document.createElement('span');
  why.className = 'hid';
  why.textContent = ' Hidden: ' + [...hidden].map(([reason, count]) => count + ' ' + reason).join(', ') + '. ';
  const again = document.createElement('button');
  again.type = 'button';
  again.className = 'small';
  again.textContent = 'Show all';
  again.addEventListener('click', () => { form.reset(); filter(); });
  place.append(why, again);
};
const filter = () => {
  const wish = {
    verdicts: new Set(all('[name=v]:checked', form).map((box) => box.value)),
    dataset: chosen('d'),
    label: chosen('l'),
    text: form.elements.q.value.trim().toLowerCase(),
  };
  const hidden = new Map();
  for (const row of rows) {
    const why = whyHidden(row, wish);
    row.hidden = why !== '';
    if (why) hidden.set(why, (hidden.get(why) || 0) + 1);
  }
  for (const group of [...all('.b'), ...all('.d')]) group.hidden = !one('details.row:not([hidden])', group);
  say(rows.filter((row) => !row.hidden).length, hidden);
};
const copy = async (id) => {
  const source = document.getElementById(id);
  try {
    await navigator.clipboard.writeText(source.textContent);
    toast('Copied');
  } catch {
    getSelection().selectAllChildren(source);
    toast(document.execCommand('copy') ? 'Copied' : 'Selected: copy it with the keyboard');
  }
};
const openTarget = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (!target || !target.matches('details.row')) return;
  if (target.hidden) { form.reset(); filter(); }
  target.open = true;
  target.scrollIntoView({ block: 'center' });
};
if (rows.length) form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
for (const button of all('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => copy(button.dataset.copy));
}
addEventListener('hashchange', openTarget);
if (rows.length) filter();
openTarget();
`
