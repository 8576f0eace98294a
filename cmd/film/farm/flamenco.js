// Written by gravreel farm: a job type of Flamenco 3.3 or later, named after this file, with - for each _. Put it into the
// folder `scripts` beside flamenco-manager, and submit a job of that type. The workers run its tasks in the folder `folder`,
// which they share.
"use strict";

const HERE = {{here}};

const TASKS = [
    {{tasks}}
];

const JOB_TYPE = {
    label: {{name}},
    description: "A film by gravreel",
    settings: [
        {
            key: "folder", type: "string", subtype: "dir_path", default: HERE,
            description: "The folder in which the commands run",
        },
    ],
};

// Quotes a word for a POSIX shell.
function quoted(word) {
    return "'" + word.split("'").join("'\\''") + "'";
}

function compileJob(job) {
    const folder = job.settings.folder || HERE; // the Manager fills in no defaults, only Blender's add-on does
    const made = {};
    for (const one of TASKS) {
        let command = "cd " + quoted(folder) + " && { " + one.command + "; }";
{{if checks}}        if (one.task.startsWith("draw")) command += " || test $? -eq 3"; // a difference is a result
        const task = author.Task(one.task, "misc");
        task.addCommand(author.Command("exec", { exe: "/bin/sh", args: ["-c", command] }));
        for (const before of one.after) {
            task.addDependency(made[before]);
        }
        job.addTask(task); // copies the task
        made[one.task] = task;
    }
}
