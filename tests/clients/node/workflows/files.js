// A file goes up with a comment and comes back.
import {fileURLToPath} from 'node:url';
import {client, inside, openTicket, tell} from '../desk.js';

await tell(async () => {
  const ticket = await openTicket();
  const here = fileURLToPath(new URL('../package.json', import.meta.url));
  const {upload} = inside(await client.attachments.upload(here, {filename: 'reading.json', binary: false}));
  await client.tickets.update(ticket.id, {ticket: {comment: {body: 'As measured', public: false, uploads: [upload.token]}}});
  const comments = await client.tickets.getComments(ticket.id);
  const [attachment] = comments.at(-1).attachments;
  const shown = inside(await client.attachments.show(attachment.id));
  const back = await fetch(attachment.content_url, {headers: {authorization: `Basic ${btoa(`${process.env.DESK_USER}/token:${process.env.DESK_TOKEN}`)}`}});
  return {
    name: attachment.file_name,
    shown: (shown.attachment ?? shown).size === attachment.size,
    same: JSON.parse(await back.text()).name,
  };
});
